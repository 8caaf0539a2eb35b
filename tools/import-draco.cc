// Calls Draco's decoder and copies what it gives. No exception leaves this file.
#include "import-draco.h"

#include <cstdlib>
#include <cstring>
#include <draco/compression/decode.h>
#include <new>

static int gltf_type(draco::DataType type) {
    switch (type) {
    case draco::DT_INT8:
        return 5120;
    case draco::DT_UINT8:
        return 5121;
    case draco::DT_INT16:
        return 5122;
    case draco::DT_UINT16:
        return 5123;
    case draco::DT_FLOAT32:
        return 5126;
    default:
        return 0;
    }
}

static void *allocate(size_t count, size_t size) {
    void *memory = std::calloc(count > 0 ? count : 1, size);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return memory;
}

static import_draco_result unpack(const char *data, size_t size, uint32_t attribute,
                                  import_draco_mesh *out) {
    draco::DecoderBuffer buffer;
    draco::Decoder decoder;
    buffer.Init(data, size);
    auto decoded = decoder.DecodeMeshFromBuffer(&buffer);
    if (!decoded.ok()) {
        return IMPORT_DRACO_REFUSED;
    }
    const auto mesh = std::move(decoded).value();
    const draco::PointAttribute *positions = mesh->GetAttributeByUniqueId(attribute);
    if (positions == nullptr || positions->num_components() != 3 ||
        gltf_type(positions->data_type()) == 0) {
        return IMPORT_DRACO_REFUSED;
    }
    const size_t bytes = 3 * static_cast<size_t>(draco::DataTypeLength(positions->data_type()));
    out->type = gltf_type(positions->data_type());
    out->points = mesh->num_points();
    out->triangles = mesh->num_faces();
    out->positions = allocate(out->points, bytes);
    out->corners = static_cast<uint32_t *>(allocate(out->triangles, 3 * sizeof(uint32_t)));
    for (uint32_t i = 0; i < out->points; i++) {
        const draco::AttributeValueIndex at = positions->mapped_index(draco::PointIndex(i));
        if (at.value() >= positions->size()) {
            return IMPORT_DRACO_REFUSED;
        }
        std::memcpy(static_cast<char *>(out->positions) + i * bytes, positions->GetAddress(at),
                    bytes);
    }
    for (uint32_t f = 0; f < out->triangles; f++) {
        const draco::Mesh::Face &face = mesh->face(draco::FaceIndex(f));
        for (size_t k = 0; k < 3; k++) {
            out->corners[3 * f + k] = face[k].value();
        }
    }
    return IMPORT_DRACO_DONE;
}

import_draco_result import_draco(const char *data, size_t size, uint32_t attribute,
                                 import_draco_mesh *out) {
    import_draco_result result = IMPORT_DRACO_REFUSED;
    std::memset(out, 0, sizeof *out);
    try {
        result = unpack(data, size, attribute, out);
    } catch (const std::bad_alloc &) {
        result = IMPORT_DRACO_MEMORY;
    } catch (...) {
    }
    if (result != IMPORT_DRACO_DONE) {
        std::free(out->positions);
        std::free(out->corners);
        std::memset(out, 0, sizeof *out);
    }
    return result;
}
