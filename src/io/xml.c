/* Builds the tree from expat's events. */
#include "io/xml.h"

#include <math.h>
#include <strings.h>
#ifdef PSB_EXPAT
#include <expat.h>
#endif

const char *psb_xml_name(const psb_xml *xml, uint32_t element) {
    return xml->text.data + xml->elements.items[element].name;
}

bool psb_xml_is(const psb_xml *xml, uint32_t element, const char *name) {
    return strcmp(psb_xml_name(xml, element), name) == 0;
}

/* True if the attribute has the name; with ':' in front, if it has that name behind a prefix. */
static bool is_named(const char *attribute, const char *name) {
    const char *colon = name[0] == ':' ? strchr(attribute, ':') : NULL;
    return strcmp(colon != NULL ? colon : attribute, name) == 0;
}

const char *psb_xml_attribute(const psb_xml *xml, uint32_t element, const char *name) {
    const char *at = psb_xml_name(xml, element);
    for (at += strlen(at) + 1; at[0] != '\0';) {
        const char *value = at + strlen(at) + 1;
        if (is_named(at, name)) {
            return value;
        }
        at = value + strlen(value) + 1;
    }
    return NULL;
}

const char *psb_xml_pair(const char **attributes, const char *name) {
    for (; attributes[0] != NULL; attributes += 2) {
        if (is_named(attributes[0], name)) {
            return attributes[1];
        }
    }
    return NULL;
}

static uint32_t first_named(const psb_xml *xml, uint32_t element, const char *name) {
    while (element != 0 && name != NULL && !psb_xml_is(xml, element, name)) {
        element = xml->elements.items[element].next;
    }
    return element;
}

uint32_t psb_xml_child(const psb_xml *xml, uint32_t element, const char *name) {
    return first_named(xml, xml->elements.items[element].child, name);
}

uint32_t psb_xml_next(const psb_xml *xml, uint32_t element, const char *name) {
    return first_named(xml, xml->elements.items[element].next, name);
}

psb_scan psb_xml_text(const psb_xml *xml, uint32_t element) {
    const psb_xml_element *e = &xml->elements.items[element];
    const char *at = xml->text.data + e->text;
    return (psb_scan){.path = xml->scan.path, .at = at, .end = at + e->length};
}

const psb_scan *psb_xml_at(psb_xml *xml, uint32_t element) {
    xml->scan.at = xml->scan.begin + xml->elements.items[element].position;
    return &xml->scan;
}

static psb_scan scan_of(const char *text) {
    text = text != NULL ? text : "";
    return (psb_scan){.at = text, .end = text + strlen(text)};
}

bool psb_xml_double(const char *text, double *value) {
    psb_scan s = scan_of(text);
    return psb_scan_next(&s) && psb_scan_number(&s, value) && !psb_scan_next(&s);
}

bool psb_xml_integer(const char *text, int64_t *value) {
    psb_scan s = scan_of(text);
    return psb_scan_next(&s) && psb_scan_integer(&s, value) && !psb_scan_next(&s);
}

psb_status psb_xml_numbers(psb_xml *xml, uint32_t element, int count, double *numbers) {
    psb_scan s = psb_xml_text(xml, element);
    for (int i = 0; i < count; i++) {
        if (!psb_scan_next(&s) || !psb_scan_number(&s, &numbers[i]) || !isfinite(numbers[i])) {
            return PSB_XML_FAIL(xml, element, "<%s> has '%s' where number %d of %d is expected",
                                psb_quote_text(psb_xml_name(xml, element)).text,
                                psb_scan_quote(&s).text, i + 1, count);
        }
    }
    return psb_scan_next(&s) ? PSB_XML_FAIL(xml, element, "<%s> has more than %d numbers",
                                            psb_quote_text(psb_xml_name(xml, element)).text, count)
                             : PSB_OK;
}

void psb_xml_free(psb_xml *xml) {
    free(xml->elements.items);
    psb_text_free(&xml->text);
    *xml = (psb_xml){0};
}

#ifdef PSB_EXPAT

/* An element whose end has not come, and the child that came last. */
typedef struct level {
    uint32_t element, last;
} level;

typedef struct builder {
    XML_Parser parser;
    psb_xml *xml;
    psb_xml_take *take;
    void *context;
    psb_status status;
    size_t depth, left_out; /* left_out: levels of elements that `take` took */
    level levels[PSB_XML_DEPTH];
} builder;

static void stop(builder *b, psb_status status) {
    if (b->status == PSB_OK && status != PSB_OK) {
        b->status = status;
        XML_StopParser(b->parser, XML_FALSE);
    }
}

static const psb_scan *here(const builder *b) {
    XML_Index at = XML_GetCurrentByteIndex(b->parser);
    size_t size = (size_t)(b->xml->scan.end - b->xml->scan.begin);
    b->xml->scan.at = b->xml->scan.begin + (at < 0 ? 0 : (size_t)at > size ? size : (size_t)at);
    return &b->xml->scan;
}

static psb_status add_element(builder *b, const char *name, const char **attributes) {
    psb_xml *xml = b->xml;
    psb_status status = PSB_OK;
    level *above = b->depth > 0 ? &b->levels[b->depth - 1] : NULL;
    uint32_t number = (uint32_t)xml->elements.count;
    if (number >= PSB_XML_ELEMENTS_MOST) {
        return PSB_SCAN_FAIL(here(b), "more than the %d elements that are allowed",
                             PSB_XML_ELEMENTS_MOST);
    }
    if (above != NULL && above->last == 0) { /* only blanks may stand in front of a child */
        psb_xml_element *parent = &xml->elements.items[above->element];
        xml->text.length = parent->text;
        parent->length = 0;
    }
    PSB_ARRAY_ROOM(&status, &xml->elements, "elements", xml->scan.error);
    if (status != PSB_OK) {
        return status;
    }
    psb_xml_element e = {.name = xml->text.length,
                         .position = (size_t)(here(b)->at - xml->scan.begin),
                         .parent = above != NULL ? above->element : 0};
    psb_text_add_bytes(&xml->text, name, strlen(name) + 1);
    for (; attributes[0] != NULL; attributes++) { /* a name, then its value */
        psb_text_add_bytes(&xml->text, attributes[0], strlen(attributes[0]) + 1);
    }
    psb_text_add_bytes(&xml->text, "", 1);
    e.text = xml->text.length;
    xml->elements.items[xml->elements.count++] = e;
    if (above != NULL) {
        psb_xml_element *all = xml->elements.items;
        *(above->last != 0 ? &all[above->last].next : &all[above->element].child) = number;
        above->last = number;
    }
    b->levels[b->depth++] = (level){number, 0};
    return psb_text_status(&xml->text, xml->scan.error);
}

static void XMLCALL begin_element(void *context, const XML_Char *name,
                                  const XML_Char **attributes) {
    builder *b = context;
    const char *colon = strchr(name, ':');
    const char *local = colon != NULL ? colon + 1 : name;
    psb_status status = PSB_OK;
    if (b->status != PSB_OK || b->left_out > 0) {
        b->left_out += b->left_out > 0;
        return;
    }
    if (b->depth == PSB_XML_DEPTH) {
        stop(b, PSB_SCAN_FAIL(here(b), "elements lie more than %d deep", PSB_XML_DEPTH));
        return;
    }
    if (b->take != NULL && b->depth > 0) {
        here(b);
        uint32_t parent = b->levels[b->depth - 1].element;
        b->left_out = b->take(b->context, b->xml, parent, local, attributes, &status) ? 1 : 0;
    }
    PSB_THEN_IF(status, b->left_out == 0, add_element(b, local, attributes));
    stop(b, status);
}

static void XMLCALL end_element(void *context, const XML_Char *name PSB_UNUSED) {
    builder *b = context;
    if (b->status == PSB_OK && b->left_out > 0) {
        b->left_out--;
    } else if (b->status == PSB_OK) {
        b->depth--;
    }
}

static void XMLCALL add_characters(void *context, const XML_Char *characters, int length) {
    builder *b = context;
    const level *l = b->depth > 0 ? &b->levels[b->depth - 1] : NULL;
    if (b->status == PSB_OK && b->left_out == 0 && l != NULL && l->last == 0) {
        psb_text_add_bytes(&b->xml->text, characters, (size_t)length);
        b->xml->elements.items[l->element].length += (size_t)length;
        stop(b, psb_text_status(&b->xml->text, b->xml->scan.error));
    }
}

static void XMLCALL begin_type(void *context, const XML_Char *name, const XML_Char *system,
                               const XML_Char *public, int has_declarations) {
    (void)name, (void)system, (void)public;
    builder *b = context;
    if (has_declarations != 0) {
        stop(b, PSB_SCAN_FAIL(here(b), "its document type declares entities or attributes, which "
                                       "is refused"));
    }
}

/* Takes the encodings of one byte a character, which differ in what no mesh is made of, for
 * ISO 8859-1. */
static int XMLCALL know_encoding(void *context PSB_UNUSED, const XML_Char *name,
                                 XML_Encoding *encoding) {
    static const char *const like[] = {"windows-12", "cp12", "iso-8859-"};
    for (size_t i = 0; i < sizeof like / sizeof like[0]; i++) {
        if (strncasecmp(name, like[i], strlen(like[i])) == 0) {
            *encoding = (XML_Encoding){.data = NULL};
            for (int k = 0; k < 256; k++) {
                encoding->map[k] = k;
            }
            return XML_STATUS_OK;
        }
    }
    return XML_STATUS_ERROR;
}

static psb_status feed(builder *b) {
    enum { PIECE = 1 << 30 };
    const psb_scan *s = &b->xml->scan;
    size_t size = (size_t)(s->end - s->begin), at = 0, piece;
    enum XML_Status parsed;
    do {
        piece = size - at < PIECE ? size - at : PIECE;
        parsed = XML_Parse(b->parser, s->begin + at, (int)piece, at + piece == size);
        at += piece;
    } while (parsed == XML_STATUS_OK && at < size);
    enum XML_Error why = XML_GetErrorCode(b->parser);
    if (b->status != PSB_OK || parsed == XML_STATUS_OK) {
        return b->status;
    }
    return why == XML_ERROR_NO_MEMORY
               ? psb_fail_memory(s->error, "an XML document", size)
               : PSB_SCAN_FAIL(here(b), "its XML is broken: %s", XML_ErrorString(why));
}

psb_status psb_xml_parse(psb_xml *xml, const psb_scan *document, psb_xml_take *take,
                         void *context) {
    *xml = (psb_xml){.scan = *document};
    xml->scan.begin = document->at;
    builder b = {.parser = XML_ParserCreate(NULL), .xml = xml, .take = take, .context = context};
    if (b.parser == NULL) {
        return psb_fail_memory(document->error, "an XML parser", sizeof b);
    }
    XML_SetUserData(b.parser, &b);
    XML_SetElementHandler(b.parser, begin_element, end_element);
    XML_SetCharacterDataHandler(b.parser, add_characters);
    XML_SetStartDoctypeDeclHandler(b.parser, begin_type);
    XML_SetUnknownEncodingHandler(b.parser, know_encoding, NULL);
    psb_status status = feed(&b);
    XML_ParserFree(b.parser);
    return status;
}

#else /* without expat */

psb_status psb_xml_parse(psb_xml *xml, const psb_scan *document, psb_xml_take *take,
                         void *context) {
    (void)take, (void)context;
    *xml = (psb_xml){.scan = *document};
    return psb_fail_at(document->error, PSB_ERROR_INPUT, document->path, 0,
                       "cannot be read: this psbench was built without expat, which reads XML");
}

#endif
