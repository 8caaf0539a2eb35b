/* Charges CPU time to the fields that spend it. */
#include "fields/meter.h"

double psb_cost_alone(const psb_cost *cost) {
    double sum = cost->own;
    for (int i = 0; i < PSB_COST_FIELDS; i++) {
        sum += (double)cost->fields[i].seconds;
    }
    return sum;
}

/* Charges the time up to now to the present account; from now on charges `account`. Returns the
 * previous account. */
static int turn_to(psb_meter *meter, int account) {
    int before = meter->charged;
    double now = meter->clock();
    meter->accounts[before].seconds += now - meter->since;
    meter->since = now;
    meter->charged = account;
    return before;
}

static void open_account(psb_meter *meter, int account, uint32_t detail) {
    meter->accounts[account].seconds = 0;
    meter->accounts[account].detail = detail;
    meter->accounts[account].fields = 0;
}

void psb_meter_start(psb_meter *meter) {
    turn_to(meter, PSB_METER_DESCRIPTOR);
    open_account(meter, PSB_METER_DESCRIPTOR, 0);
}

void psb_meter_stop(psb_meter *meter) {
    turn_to(meter, PSB_METER_NOBODY);
}

int psb_meter_enter(psb_meter *meter, int field, uint32_t detail, bool is_there) {
    if (!is_there) {
        open_account(meter, field, detail);
    }
    return turn_to(meter, is_there ? PSB_METER_NOBODY : field);
}

void psb_meter_leave(psb_meter *meter, int field, int before) {
    turn_to(meter, before);
    psb_meter_need(meter, field);
}

int psb_meter_pause(psb_meter *meter) {
    return turn_to(meter, PSB_METER_NOBODY);
}

void psb_meter_resume(psb_meter *meter, int before) {
    turn_to(meter, before);
}

void psb_meter_need(psb_meter *meter, int field) {
    meter->accounts[meter->charged].fields |= UINT32_C(1) << field | meter->accounts[field].fields;
}

psb_cost psb_meter_cost(const psb_meter *meter) {
    psb_cost cost = {.own = meter->accounts[PSB_METER_DESCRIPTOR].seconds};
    uint32_t fields = meter->accounts[PSB_METER_DESCRIPTOR].fields;
    int n = 0;
    for (uint32_t f = 0; f < PSB_METER_FIELDS && n < PSB_COST_FIELDS; f++) {
        if ((fields >> f & 1) != 0) {
            cost.fields[n].key = meter->accounts[f].detail << 4 | (f + 1);
            cost.fields[n].seconds = (float)meter->accounts[f].seconds;
            n++;
        }
    }
    return cost;
}
