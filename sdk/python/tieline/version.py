"""The version of this package, for `User-Agent`."""

VERSION = "0.1.0"
