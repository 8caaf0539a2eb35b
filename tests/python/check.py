"""Runs the functions test_... of a module and says of each whether it held; exits with 1 where one did
not."""

import sys
import traceback


def run(tests):
    failed = 0
    for name, test in sorted(tests.items()):
        if not name.startswith("test_"):
            continue
        try:
            test()
            print("ok -", name[5:].replace("_", " "))
        except BaseException:
            failed += 1
            print("not ok -", name[5:].replace("_", " "))
            traceback.print_exc()
    sys.exit(1 if failed else 0)


def raises(kind, words, function, *arguments, **options):
    """The exception, of exactly that kind, with those words in its text."""
    try:
        result = function(*arguments, **options)
    except kind as error:
        assert type(error) is kind, type(error)
        assert words in str(error), str(error)
        return error
    raise AssertionError(f"{kind.__name__} {words!r} was to be raised, not {result!r} returned")
