// How the iterations of a worksharing loop are dealt out: the arguments of the runtime's functions.
#include "unit.hpp"

namespace cpt {

using namespace clang;
using namespace llvm::omp;

unit::loop_schedule unit::schedule_of(const directive& d, bool ordered, bool cancels,
                                      const environment& e)
{
    std::string schedule = "0", chunk = "0";
    bool is_static = !cancels;
    if (const auto* c = d.getSingleClause<OMPScheduleClause>()) {
        switch (c->getScheduleKind()) {
        case OMPC_SCHEDULE_static: schedule = "1"; break;
        case OMPC_SCHEDULE_dynamic:
            schedule = "2";
            is_static = false;
            break;
        case OMPC_SCHEDULE_guided:
            schedule = "3";
            is_static = false;
            break;
        case OMPC_SCHEDULE_auto:
            schedule = "4";
            is_static = false;
            break;
        default:
            schedule = "0";
            is_static = false;
            break;
        }
        if (c->getFirstScheduleModifier() == OMPC_SCHEDULE_MODIFIER_monotonic ||
            c->getSecondScheduleModifier() == OMPC_SCHEDULE_MODIFIER_monotonic) {
            schedule = "(" + schedule + " | 256)";
        }
        if (c->getChunkSize() != nullptr) {
            chunk = "(unsigned long long)" + text(c->getChunkSize(), e);
        }
    } else {
        schedule = "1";
    }
    // The same iterations on the same threads each time, whatever is asked for beside that.
    const auto* const order = d.getSingleClause<OMPOrderClause>();
    if (order != nullptr && order->getModifier() == OMPC_ORDER_MODIFIER_reproducible) {
        schedule = "1";
        is_static = !cancels;
    }
    if (ordered) {
        schedule = "(" + schedule + " | 512)";
    }
    return {schedule, chunk, is_static};
}

}  // namespace cpt
