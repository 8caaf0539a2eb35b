"""Prints a C program that compiles only where the module's functions, structs and numbers are those of
psbench.h: the compiler compares the types of all arguments, and the places of all members."""

import ctypes

from psbench import _library as library

print("#include <stddef.h>\n#include <psbench.h>")
print(library.FUNCTIONS)
for name, value in library.ENUMS.items():
    print(f'_Static_assert({name} == {value}, "{name}");')
for name, text in library.STRUCTS.items():
    struct = library.structs[name]
    print(f"struct check_{name} {{ {text} }};")
    # Options may have further members in the header, as far as there is room for them; the observer is the
    # last member of some.
    grows = name.endswith("_options")
    if name != "psb_observer":
        comparison = "<=" if grows else "=="
        print(f'_Static_assert(sizeof({name}) {comparison} {ctypes.sizeof(struct)}, "{name}");')
    for member, _ in struct._fields_[: -1 if grows else None]:
        offset = getattr(struct, member).offset
        print(f'_Static_assert(offsetof({name}, {member}) == {offset}, "{name}.{member}");')
        print(
            f"_Static_assert(__builtin_types_compatible_p(__typeof__((({name} *)0)->{member}), "
            f'__typeof__(((struct check_{name} *)0)->{member})), "type of {name}.{member}");'
        )
for name, _, arguments in library.prototypes():
    assert len(arguments) == len(getattr(library.lib, name).argtypes), name
