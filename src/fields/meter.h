/*
 * Measures the cost of each descriptor, even though descriptors share fields.
 *
 * A meter divides the time of one thread among accounts: one for each field, one for the descriptor
 * at work. An account holds its own time, without that of the fields it asked for, and the set of
 * those fields, asked for directly or through another field, whether they existed already or not.
 * So the cost of a descriptor does not depend on which descriptor asked for a field first: alone it
 * costs its own time and that of every field in its set; several together cost each field of their
 * sets once.
 *
 * If a field is computed again for another parameter, its account holds the time of the last
 * computation.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * The cost of one descriptor of one model, in seconds. Files hold this struct, which has no
 * padding, as it is.
 */
enum { PSB_COST_FIELDS = 6 };
typedef struct psb_cost {
    double own;
    struct {
        uint32_t key; /* identifies the field and its parameters; 0: none */
        float seconds;
    } fields[PSB_COST_FIELDS];
} psb_cost;

double psb_cost_alone(const psb_cost *cost);

/* Accounts: the fields, numbered by the caller, then two more. */
enum { PSB_METER_FIELDS = 15, PSB_METER_DESCRIPTOR = PSB_METER_FIELDS, PSB_METER_NOBODY };

typedef struct psb_meter {
    double (*clock)(void); /* seconds */
    double since;          /* the clock when `charged` was last changed */
    int charged;
    struct {
        double seconds;
        uint32_t detail; /* the parameters that the field was made with */
        uint32_t fields; /* bit f: needs field f */
    } accounts[PSB_METER_NOBODY + 1];
} psb_meter;

/* Charges the descriptor from now on, from zero. */
void psb_meter_start(psb_meter *meter);

/* Stops: no account is charged any longer. */
void psb_meter_stop(psb_meter *meter);

/*
 * Charges the field from now on, from zero, or nobody if the field exists already. `detail`
 * identifies the field's parameters in 28 bits. Returns the account charged before, to which
 * psb_meter_leave returns.
 */
int psb_meter_enter(psb_meter *meter, int field, uint32_t detail, bool is_there);
void psb_meter_leave(psb_meter *meter, int field, int before);

/* Stop and resume charging: pause returns the account that was charged, to which resume returns. */
int psb_meter_pause(psb_meter *meter);
void psb_meter_resume(psb_meter *meter, int before);

/* Notes that the account at work needs an existing field. */
void psb_meter_need(psb_meter *meter, int field);

/* Returns the cost of the last descriptor. */
psb_cost psb_meter_cost(const psb_meter *meter);
