// The schedule of a worksharing loop, as arguments of the runtime's functions.
#include "unit.hpp"

namespace cpt {

using namespace clang;
using namespace llvm::omp;

unit::loop_schedule unit::schedule_of(const directive& d, bool ordered, bool cancels,
                                      const environment& e)
{
    std::string schedule = "1", chunk = "0";
    const char* modifier = "";
    if (const auto* c = d.getSingleClause<OMPScheduleClause>()) {
        switch (c->getScheduleKind()) {
        case OMPC_SCHEDULE_static: break;
        case OMPC_SCHEDULE_dynamic: schedule = "2"; break;
        case OMPC_SCHEDULE_guided: schedule = "3"; break;
        case OMPC_SCHEDULE_auto: schedule = "4"; break;
        default: schedule = "0"; break;
        }
        if (c->getFirstScheduleModifier() == OMPC_SCHEDULE_MODIFIER_monotonic ||
            c->getSecondScheduleModifier() == OMPC_SCHEDULE_MODIFIER_monotonic) {
            modifier = " | 256";
        }
        if (c->getChunkSize() != nullptr) {
            chunk = "(unsigned long long)" + text(c->getChunkSize(), e);
        }
    }
    // The same iterations on the same threads each time, whatever is asked for beside that.
    const auto* const order = d.getSingleClause<OMPOrderClause>();
    if (order != nullptr && order->getModifier() == OMPC_ORDER_MODIFIER_reproducible) {
        schedule = "1";
    }
    const bool is_static = schedule == "1" && !cancels;
    return {"(" + schedule + modifier + (ordered ? " | 512" : "") + ")", chunk, is_static};
}

}  // namespace cpt
