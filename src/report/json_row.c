#include "report/json_row.h"

#include "report/json_value.h"
#include "report/row.h"

static json_t *id_part(const cb_operation *op, unsigned part)
{
    cb_id_part name = cb_operation_part(op, part);
    return json_stringn(name.p, name.n);
}

static bool put_nonzero(json_t *object, const char *key, uint64_t value)
{
    return value == 0 || cb_json_put(object, key, cb_json_count(value));
}

static json_t *params_object(const cb_group *group)
{
    const cb_params *p = &group->params;
    json_t *o = json_object();
    bool ok = cb_json_put(o, "aad_bytes", cb_json_count(group->aad_bytes)) &&
              put_nonzero(o, "iterations", p->iterations) && put_nonzero(o, "memory_kib", p->memory_kib) &&
              put_nonzero(o, "lanes", p->lanes) && put_nonzero(o, "pairs", p->pairs) &&
              (p->subkey_id == 0 || cb_json_put(o, "subkey_id", cb_json_digits(p->subkey_id))) &&
              put_nonzero(o, "chunk_bytes", p->chunk);
    return cb_json_finish(o, ok);
}

static json_t *all_rounds_ns_object(const cb_estimate *median)
{
    json_t *o = json_object();
    bool ok = cb_json_put(o, "median", cb_json_number(median->value)) &&
              cb_json_put(o, "ci_low", cb_json_number(median->low)) &&
              cb_json_put(o, "ci_high", cb_json_number(median->high));
    return cb_json_finish(o, ok);
}

static json_t *ns_object(const cb_summary *s)
{
    json_t *o = json_object();
    bool ok = cb_json_put(o, "median", cb_json_number(s->median_ns.value)) &&
              cb_json_put(o, "p10", cb_json_number(s->p10_ns)) &&
              cb_json_put(o, "p90", cb_json_number(s->p90_ns)) &&
              cb_json_put(o, "batch_p99", cb_json_number(s->batch_p99_ns)) &&
              cb_json_put(o, "call_p99", cb_json_number(s->call_p99_ns)) &&
              cb_json_put(o, "min", cb_json_number(s->min_ns)) &&
              cb_json_put(o, "mean", cb_json_number(s->mean_ns)) &&
              cb_json_put(o, "first_call", cb_json_number(s->first_call_ns)) &&
              cb_json_put(o, "ci_low", cb_json_number(s->median_ns.low)) &&
              cb_json_put(o, "ci_high", cb_json_number(s->median_ns.high));
    return cb_json_finish(o, ok);
}

static json_t *counts_array(const uint64_t *counts, size_t n)
{
    json_t *array = json_array();
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++)
        ok = cb_json_append(array, cb_json_count(counts[i]));
    return cb_json_finish(array, ok);
}

static json_t *flags_array(const uint8_t *flags, size_t n)
{
    json_t *array = json_array();
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++)
        ok = cb_json_append(array, cb_json_count(flags[i]));
    return cb_json_finish(array, ok);
}

static json_t *block_object(const cb_block *block)
{
    json_t *o = json_object();
    bool ok = cb_json_put(o, "seed", cb_json_digits(block->seed)) &&
              cb_json_put(o, "batch", cb_json_count(block->batch)) &&
              cb_json_put(o, "loop_ns", cb_json_number(block->loop_ns)) &&
              cb_json_put(o, "first_call_ns", cb_json_count(block->first_call_ns)) &&
              cb_json_put(o, "round_ns", counts_array(block->round_ns, block->rounds)) &&
              cb_json_put(o, "control_ns", counts_array(block->control_ns, block->rounds)) &&
              cb_json_put(o, "flags", flags_array(block->flags, block->rounds));
    return cb_json_finish(o, ok);
}

static json_t *blocks_array(const cb_result_row *row)
{
    json_t *array = json_array();
    bool ok = true;
    for (size_t i = 0; ok && row->measured && i < row->samples->n_blocks; i++)
        ok = cb_json_append(array, block_object(&row->samples->blocks[i]));
    return cb_json_finish(array, ok);
}

/* Cycles of the time-stamp counter per byte; null where the counter is unknown or the message empty. */
static json_t *tsc_per_byte(const cb_result *result, const cb_result_row *row)
{
    size_t bytes = cb_row_group(result, row)->msg_bytes;
    if (bytes == 0)
        return json_null();
    return cb_json_number(row->summary.median_ns.value * result->environment->tsc_ghz / (double)bytes);
}

static bool put_figures(json_t *o, const cb_result *result, const cb_result_row *row)
{
    bool measured = row->measured;
    return cb_json_put(o, "ns", measured ? ns_object(&row->summary) : json_null()) &&
           cb_json_put(o, "uncontended", measured ? json_boolean(row->summary.uncontended) : json_null()) &&
           cb_json_put(o, "all_rounds",
                       measured ? all_rounds_ns_object(&row->summary.all_rounds_ns) : json_null()) &&
           cb_json_put(o, "ops_per_s", cb_json_number(cb_row_operations_per_s(row))) &&
           cb_json_put(o, "bytes_per_s", cb_json_number(cb_row_bytes_per_s(result, row))) &&
           cb_json_put(o, "tsc_per_byte", measured ? tsc_per_byte(result, row) : json_null()) &&
           cb_json_put(o, "iterations", measured ? cb_json_count(row->samples->iterations) : json_null()) &&
           cb_json_put(o, "replicates", blocks_array(row));
}

json_t *cb_json_row(const void *result, size_t i)
{
    const cb_result *r = result;
    const cb_result_row *row = &r->rows[i];
    const cb_group *group = cb_row_group(r, row);
    const cb_contestant *contestant = cb_row_contestant(r, row);
    json_t *o = json_object();
    bool ok =
        cb_json_put(o, "id", cb_json_text(group->id)) && cb_json_put(o, "family", id_part(group->op, 0)) &&
        cb_json_put(o, "algorithm", id_part(group->op, 1)) &&
        cb_json_put(o, "operation", id_part(group->op, 2)) &&
        cb_json_put(o, "size", cb_json_count(group->msg_bytes)) &&
        cb_json_put(o, "params", params_object(group)) &&
        cb_json_put(o, "contestant", cb_json_text(contestant->name)) &&
        cb_json_put(o, "backend", cb_json_text(contestant->entry->backend)) &&
        cb_json_put(o, "status", cb_json_text(cb_status_word(cb_row_status(row)))) &&
        cb_json_put(o, "message", cb_json_public_text(cb_row_message(r, row))) && put_figures(o, r, row);
    return cb_json_finish(o, ok);
}

static json_t *all_rounds_object(const cb_ratio *ratio)
{
    json_t *o = json_object();
    bool ok = cb_json_put(o, "ratio", cb_json_number(ratio->all_rounds.value)) &&
              cb_json_put(o, "ci_low", cb_json_number(ratio->all_rounds.low)) &&
              cb_json_put(o, "ci_high", cb_json_number(ratio->all_rounds.high));
    return cb_json_finish(o, ok);
}

json_t *cb_json_comparison(const void *result, size_t i)
{
    const cb_plan *plan = ((const cb_result *)result)->plan;
    const cb_result_comparison *c = &((const cb_result *)result)->comparisons[i];
    const cb_group *group = &plan->groups[c->group];
    const cb_ratio *ratio = &c->ratio;
    json_t *o = json_object();
    bool ok =
        cb_json_put(o, "id", cb_json_text(group->id)) &&
        cb_json_put(o, "contestant", cb_json_text(cb_group_contestant_name(plan, group, c->seat))) &&
        cb_json_put(o, "reference", cb_json_text(cb_group_contestant_name(plan, group, c->reference_seat))) &&
        cb_json_put(o, "ratio", cb_json_number(ratio->ratio.value)) &&
        cb_json_put(o, "ci_low", cb_json_number(ratio->ratio.low)) &&
        cb_json_put(o, "ci_high", cb_json_number(ratio->ratio.high)) &&
        cb_json_put(o, "verdict", cb_json_text(cb_verdict_word(ratio->verdict))) &&
        cb_json_put(o, "all_rounds", all_rounds_object(ratio)) &&
        cb_json_put(o, "uncontended", json_boolean(ratio->uncontended)) &&
        cb_json_put(o, "pairs", cb_json_count(ratio->pairs)) &&
        cb_json_put(o, "used_pairs", cb_json_count(ratio->used_pairs));
    return cb_json_finish(o, ok);
}
