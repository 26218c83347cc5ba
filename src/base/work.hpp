// The unit of work that queues carry. It lies in a public header because programs embed it in their
// frames (fork-join tasks).
#pragma once

#include <artel/detail/work.hpp>
