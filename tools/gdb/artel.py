"""Light threads in gdb. `source tools/gdb/artel.py`, then:

    artel fibers            the light threads that can be found: number, kind, state, stack
    artel workers           the workers and what each carries
    artel backtrace NUMBER  the stack of a suspended light thread (x86-64)

Found are: what workers carry; what waits in a worker's queues or on a word; every persona (through
its parked pthread); free scheduling loops. A light thread that the program has suspended itself
(artel::suspend) is not found. Needs libartel's debug information, and only reads memory; but `artel
backtrace` on a live process sets registers for a moment and restores them."""
from __future__ import annotations

import gdb

# of glibc's struct pthread, which is somewhat larger; what we look for lies in its first part
DESCRIPTOR_SIZE = 2048
# a damaged list in a stopped or crashed program must not keep gdb busy for ever
LARGEST_LIST = 1_000_000


def atomic(value: gdb.Value) -> gdb.Value:
    """The value in a std::atomic."""
    kind = value.type.strip_typedefs()
    names = [field.name for field in kind.fields()]
    for base in [field for field in kind.fields() if field.is_base_class]:
        return atomic(value[base])
    for name in ("_M_i", "_M_b", "_M_p", "_M_base"):
        if name in names:
            inner = value[name]
            return (
                inner if inner.type.strip_typedefs().code != gdb.TYPE_CODE_STRUCT else atomic(inner)
            )
    raise gdb.GdbError(f"unknown layout of {kind}")


def chain(first: gdb.Value, link: str = "next"):
    for _ in range(LARGEST_LIST):
        if int(first) == 0:
            return
        yield first
        first = first.dereference()[link]


def find_variable(name: str) -> gdb.Value | None:
    """A variable in the anonymous namespace of artel::sched."""
    for find in (gdb.lookup_static_symbol, gdb.lookup_global_symbol):
        symbol = find(f"artel::sched::(anonymous namespace)::{name}")
        if symbol is not None:
            return symbol.value()
    return None


def crew() -> gdb.Value:
    instance = find_variable("instance")
    if instance is None:
        raise gdb.GdbError("libartel is not loaded here, or has no debug information")
    pointer = atomic(instance)
    if int(pointer) == 0:
        raise gdb.GdbError("the crew has not been made yet")
    return pointer.dereference()


def workers():
    the_crew = crew()
    count = int(atomic(the_crew["table_size_"]))
    table = the_crew["table_"]["slots_"]
    for i in range(count):
        pointer = atomic(table[i])
        if int(pointer) != 0:
            yield pointer.dereference()


def deque_items(queue: gdb.Value):
    top, bottom = int(atomic(queue["top_"])), int(atomic(queue["bottom_"]))
    ring = atomic(queue["ring_"]).dereference()
    slots = ring.address.cast(gdb.lookup_type("char").pointer()) + ring.type.sizeof
    mask = int(ring["mask"])
    slot = gdb.lookup_type("artel::base::work").pointer().pointer()
    for i in range(top, min(bottom, top + LARGEST_LIST)):
        yield (slots.cast(slot) + (i & mask)).dereference()


def is_fiber(item: gdb.Value) -> bool:
    """Whether work in a queue is a fiber: only fibers are run by the function of that name."""
    block = gdb.block_for_pc(int(item.dereference()["run"])) if int(item) else None
    return block is not None and block.function is not None and "run_fiber" in block.function.name


class Fiber:
    def __init__(self, value: gdb.Value, state: str):
        self.value, self.state = value, state
        self.number = int(value["id"])
        self.kind = str(value["type"]).rsplit("::", 1)[-1]
        self.suspended = not state.startswith("running")

    def stack(self) -> str:
        size, low = int(self.value["stack"]["size"]), int(self.value["stack"]["low"])
        if size == 0:
            return "the OS thread's"
        used = low + size - int(self.value["context"])
        text = f"{low:#x}+{size >> 10}k"
        return f"{text}, {used} bytes used" if self.suspended and 0 <= used <= size else text


def personas():
    """Each persona once. glibc keeps a thread's start function and, next to it, its argument in the
    descriptor that the thread pointer points to; a persona's pthread was started by fiber::birth
    with the persona."""
    symbol = gdb.lookup_static_symbol("artel::fiber::(anonymous namespace)::birth")
    if symbol is None:
        return []
    birth = int(symbol.value().address)
    persona = gdb.lookup_type("artel::fiber::persona").pointer()
    seen = gdb.selected_thread()
    frame_before = gdb.selected_frame()
    found = {}
    try:
        for thread in gdb.selected_inferior().threads():
            try:
                thread.switch()
                descriptor = int(gdb.parse_and_eval("(unsigned long)$fs_base"))
                memory = bytes(gdb.selected_inferior().read_memory(descriptor, DESCRIPTOR_SIZE))
            except gdb.error:
                continue
            words = [
                int.from_bytes(memory[i : i + 8], "little") for i in range(0, DESCRIPTOR_SIZE, 8)
            ]
            for function, argument in zip(words, words[1:]):
                if function == birth:
                    candidate = gdb.Value(argument).cast(persona).dereference()
                    if int(candidate["thread_pointer"]) == descriptor:
                        found[argument] = candidate
    finally:
        seen.switch()
        frame_before.select()
    return list(found.values())


def fibers() -> list[Fiber]:
    crew()  # reports why there is nothing to show
    fiber_pointer = gdb.lookup_type("artel::fiber::fiber").pointer()
    by_address: dict[int, Fiber] = {}

    def add(pointer: gdb.Value, state: str):
        pointer = pointer.cast(fiber_pointer)
        if int(pointer) not in by_address:
            by_address[int(pointer)] = Fiber(pointer.dereference(), state)

    for worker in workers():
        index = int(worker["index"])
        if int(worker["current"]) != 0:
            add(worker["current"], f"running on worker {index}")
        base = worker["base"]
        if int(base["id"]) != 0:
            add(
                base.address,
                f"ready for worker {index}" if bool(atomic(worker["own_ready"])) else "suspended",
            )
        for item in chain(worker["free_loops"]):
            add(item, f"free scheduling loop of worker {index}")
        for item in list(deque_items(worker["ready"])) + list(
            chain(atomic(worker["mail"]["head_"]))
        ):
            if is_fiber(item):
                add(item, f"ready at worker {index}")
    buckets = find_variable("buckets")
    if buckets is not None:
        array = buckets["_M_elems"]
        low, high = array.type.strip_typedefs().range()
        for i in range(low, high + 1):
            for waiter in chain(array[i]["first"]):
                if int(waiter["who"]) != 0:
                    state = f"waiting on word {int(waiter['word'].address):#x}"
                    known = by_address.get(int(waiter["who"]))
                    if known is not None and known.suspended:
                        known.state = state
                    else:
                        add(waiter["who"], state)
    for persona in personas():
        add(persona.address, "suspended")
    return sorted(by_address.values(), key=lambda fiber: fiber.number)


def table(head: list[str], rows: list[list[str]]):
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    for row in [head, *rows]:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


class Artel(gdb.Command):
    """Show the light threads and workers of Artel's crew: artel fibers, artel workers, artel
    backtrace NUMBER."""

    def __init__(self):
        super().__init__("artel", gdb.COMMAND_STACK, prefix=True)


class ArtelFibers(gdb.Command):
    """List light threads: number, kind, state, stack."""

    def __init__(self):
        super().__init__("artel fibers", gdb.COMMAND_STACK)

    def invoke(self, argument: str, from_tty: bool):
        found = fibers()
        table(
            ["fiber", "kind", "state", "stack"],
            [[str(f.number), f.kind, f.state, f.stack()] for f in found],
        )
        print(f"{len(found)} light threads")


class ArtelWorkers(gdb.Command):
    """List workers: number, role, whether idle, the light thread it carries, switches so far."""

    def __init__(self):
        super().__init__("artel workers", gdb.COMMAND_STACK)

    def invoke(self, argument: str, from_tty: bool):
        rows = []
        for worker in workers():
            current = worker["current"]
            rows.append(
                [
                    str(int(worker["index"])),
                    str(worker["kind"]).rsplit("::", 1)[-1],
                    "idle" if bool(atomic(worker["idle"])) else "busy",
                    str(int(current["id"])) if int(current) else "-",
                    str(int(atomic(worker["switches"]))),
                ]
            )
        table(["worker", "role", "state", "fiber", "switches"], rows)


class ArtelBacktrace(gdb.Command):
    """Print the stack of a suspended light thread: artel backtrace NUMBER."""

    def __init__(self):
        super().__init__("artel backtrace", gdb.COMMAND_STACK)

    def invoke(self, argument: str, from_tty: bool):
        try:
            number = int(argument)
        except ValueError:
            raise gdb.GdbError("usage: artel backtrace NUMBER (see artel fibers)") from None
        found = [f for f in fibers() if f.number == number]
        if not found:
            raise gdb.GdbError(f"no light thread {number} was found")
        if not found[0].suspended:
            raise gdb.GdbError(f"it is {found[0].state}: use `thread apply all backtrace`")
        if gdb.selected_frame().architecture().name() != "i386:x86-64":
            raise gdb.GdbError("only for x86-64")
        # The layout of fiber/context.hpp: address to go on at, control words, rbx, rbp, red zone.
        sp = int(found[0].value["context"])
        words = gdb.selected_inferior().read_memory(sp, 32)
        pc, _, rbx, rbp = (int.from_bytes(words[i : i + 8], "little") for i in range(0, 32, 8))
        registers = {"pc": pc, "sp": sp + 32 + 128, "rbx": rbx, "rbp": rbp}
        gdb.newest_frame().select()
        before = {name: int(gdb.parse_and_eval(f"(unsigned long)${name}")) for name in registers}
        try:
            for name, value in registers.items():
                gdb.execute(f"set ${name} = {value}", to_string=True)
            gdb.execute("backtrace")
        finally:
            for name, value in before.items():
                gdb.execute(f"set ${name} = {value}", to_string=True)


Artel()
ArtelFibers()
ArtelWorkers()
ArtelBacktrace()
