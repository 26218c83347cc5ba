// Entry points for Intel's tools, for programs that are compiled with tracing. They do nothing.
#include "abi.hpp"

namespace tbb::detail::r1 {

using number = unsigned long long;

void call_itt_notify(int, void*) {}
void create_itt_sync(void*, const char*, const char*) {}
void itt_set_sync_name(void*, const char*) {}
void itt_make_task_group(d1::itt_domain_enum, void*, number, void*, number,
                         d0::string_resource_index)
{}
void itt_task_begin(d1::itt_domain_enum, void*, number, void*, number, d0::string_resource_index) {}
void itt_task_end(d1::itt_domain_enum) {}
void itt_metadata_str_add(d1::itt_domain_enum, void*, number, d0::string_resource_index,
                          const char*)
{}
void itt_metadata_ptr_add(d1::itt_domain_enum, void*, number, d0::string_resource_index, void*) {}
void itt_relation_add(d1::itt_domain_enum, void*, number, d0::itt_relation, void*, number) {}
void itt_region_begin(d1::itt_domain_enum, void*, number, void*, number, d0::string_resource_index)
{}
void itt_region_end(d1::itt_domain_enum, void*, number) {}

}  // namespace tbb::detail::r1
