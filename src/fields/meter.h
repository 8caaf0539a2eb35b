/*
 * What a descriptor costs, though it shares fields with others.
 *
 * A meter splits the time of one thread among accounts: one for each field, one for the descriptor
 * that is at work. An account has the time that was its own, without that of the fields it asked
 * for, and the set of fields that it asked for, directly or through another field; a field that was
 * there already counts as asked for, too. So a descriptor's cost is known whoever was the first to
 * ask for a field: alone it would have taken its own time and that of every field in its set;
 * several together take each field of their sets once.
 *
 * Where a field is made again, for another parameter, its account is of the last time.
 */
#ifndef PSB_FIELDS_METER_H
#define PSB_FIELDS_METER_H

#include <stdbool.h>
#include <stdint.h>

/* What one descriptor of one model took, in seconds. Lies in files as it is here, without gaps. */
enum { PSB_COST_FIELDS = 6 };
typedef struct psb_cost {
    double own;
    struct {
        uint32_t key; /* which field, made with which parameters; 0: none */
        float seconds;
    } fields[PSB_COST_FIELDS];
} psb_cost;

double psb_cost_alone(const psb_cost *cost);

/* Accounts: the fields, of the caller's numbering, then two. */
enum { PSB_METER_FIELDS = 15, PSB_METER_DESCRIPTOR = PSB_METER_FIELDS, PSB_METER_NOBODY };

typedef struct psb_meter {
    double (*clock)(void); /* seconds */
    double since;          /* when the account at work began to be charged */
    int charged;
    struct {
        double seconds;
        uint32_t detail; /* the parameters that the field was made with */
        uint32_t fields; /* bit f: needs field f */
    } accounts[PSB_METER_NOBODY + 1];
} psb_meter;

/* From now on the time is the descriptor's, from zero. */
void psb_meter_start(psb_meter *meter);

/* The end of what began with start: no account is charged any longer. */
void psb_meter_stop(psb_meter *meter);

/*
 * From now on the time is the field's, from zero; nobody's where it is there already. `detail`
 * tells parameters of one field apart, in 28 bits. Returns the account that was charged up to now,
 * for psb_meter_leave, which goes back to it.
 */
int psb_meter_enter(psb_meter *meter, int field, uint32_t detail, bool is_there);
void psb_meter_leave(psb_meter *meter, int field, int before);

/* Time that is no account's: pause returns the account that was charged, resume goes back to it. */
int psb_meter_pause(psb_meter *meter);
void psb_meter_resume(psb_meter *meter, int before);

/* The account at work needs a field, which is there. */
void psb_meter_need(psb_meter *meter, int field);

/* What the last descriptor cost. */
psb_cost psb_meter_cost(const psb_meter *meter);

#endif
