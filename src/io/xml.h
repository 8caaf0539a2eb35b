/*
 * XML documents as trees, as expat reads them.
 *
 * The bytes are not trusted. Nothing outside of the document is read and nothing within it is
 * expanded: a document type that declares anything is refused, and with it all entities but XML's
 * own five. Depth and number of elements are limited, so memory is a small multiple of the
 * document's size. Names lose their prefix: expat would write the namespace into every prefixed
 * name, which lets a short document ask for any amount of memory.
 */
#pragma once

#include "core/scan.h"
#include "core/text.h"

enum {
    PSB_XML_DEPTH = 256,             /* levels of elements */
    PSB_XML_ELEMENTS_MOST = 1 << 23, /* elements of a document */
};

/* Elements are named by number: the root is 0, which elsewhere means none. */
typedef struct psb_xml_element {
    size_t name;         /* in the text: its name, then its attributes by pairs, then "" */
    size_t text, length; /* its characters, if it has no children */
    size_t position;     /* of its first byte in the document */
    uint32_t parent, child, next;
} psb_xml_element;

typedef struct psb_xml {
    psb_scan scan; /* the document, for messages */
    PSB_ARRAY(psb_xml_element) elements;
    psb_text text;
} psb_xml;

/*
 * Called for each element before it becomes part of the tree; true keeps it, with all that is
 * below, out of it: readers take elements that come in millions here. `attributes` are pairs of
 * texts, NULL behind the last. A failure ends the parsing.
 */
typedef bool psb_xml_take(void *context, psb_xml *xml, uint32_t parent, const char *name,
                          const char **attributes, psb_status *status);

/* Parses the scan's document, which must stay where it is; `take` may be NULL. Call psb_xml_free in
 * any case. PSB_ERROR_INPUT, with the line, if the document is broken, and for any document if this
 * program was built without expat. */
psb_status psb_xml_parse(psb_xml *xml, const psb_scan *document, psb_xml_take *take, void *context);
void psb_xml_free(psb_xml *xml);

const char *psb_xml_name(const psb_xml *xml, uint32_t element);
bool psb_xml_is(const psb_xml *xml, uint32_t element, const char *name);
/* Returns an attribute's value; NULL if there is none. A name that begins with ':' stands for that
 * name with any prefix. */
const char *psb_xml_attribute(const psb_xml *xml, uint32_t element, const char *name);
/* The same for attributes as `take` gets them. */
const char *psb_xml_pair(const char **attributes, const char *name);
/* Returns the first child of that name, or the next sibling; any if the name is NULL. */
uint32_t psb_xml_child(const psb_xml *xml, uint32_t element, const char *name);
uint32_t psb_xml_next(const psb_xml *xml, uint32_t element, const char *name);
/* The head of a loop over the children of that name, as long as all goes well. */
#define PSB_XML_EACH(child, xml, element, name, status)                                            \
    for (uint32_t child = psb_xml_child((xml), (element), (name));                                 \
         child != 0 && (status) == PSB_OK; child = psb_xml_next((xml), child, (name)))
/* Returns the element's characters; the scan names no line. */
psb_scan psb_xml_text(const psb_xml *xml, uint32_t element);
/* Reads `count` finite numbers, which have to be all of the element's text. */
psb_status psb_xml_numbers(psb_xml *xml, uint32_t element, int count, double *numbers);

/* Read an attribute's value, around which there may be blanks; false also if it is NULL. */
bool psb_xml_double(const char *text, double *value);
bool psb_xml_integer(const char *text, int64_t *value);

/* Moves the document's scan to an element, for a message. */
const psb_scan *psb_xml_at(psb_xml *xml, uint32_t element);
/* Reports an input error at an element. */
#define PSB_XML_FAIL(xml, element, ...) PSB_SCAN_FAIL(psb_xml_at((xml), (element)), __VA_ARGS__)
