"""What can go wrong."""


class CentoError(Exception):
    """Something cannot be done. The message says what, and what to do instead."""


class OptionError(CentoError, ValueError):
    """An option cannot be followed."""


class CentoWarning(UserWarning):
    """Something that a person should know, and that does not end the work."""


CentoError.__name__ = CentoError.__qualname__ = "Error"
for _one in (CentoError, OptionError, CentoWarning):
    _one.__module__ = "cento"
