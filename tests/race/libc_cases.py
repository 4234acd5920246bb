"""Calls of functions of libc in report_test.py, and which bytes of `text` each touches."""

# What functions of libc read, and what they write, of `text`.
READING = ("strncat(other, text, 3)", "strcasecmp(other, text)", "strncasecmp(text, other, 3)",
           "strspn(text, other)", "strcspn(other, text)", "strpbrk(text, other)",
           "strchrnul(text, 'x')", "other[9] = *strndup(text, 3)", "strtol(text, nullptr, 10)",
           "strtod(text, nullptr)", "atoi(text)", "snprintf(other, 9, text)",
           "mempcpy(other, text, n)", "memrchr(text, 'x', n)", "memmem(text, n, other, 1)",
           "memcpy(other, text, n)", "memmove(other, text, n)", "stpncpy(other, text, 3)",
           "(bcopy(text, other, n), 0)", "memccpy(other, text, 7, n)", "index(text, 'x')",
           "rindex(text, 'x')", "rawmemchr(text, '\\0')", "strcasestr(text, other)",
           "strcoll(text, other)", "strxfrm(other, text, 9)", "strsep(&rest, text)",
           "strtok(text, other)", "strtof(text, nullptr)", "(double)strtold(text, nullptr)",
           "strtoimax(text, nullptr, 10)", "atoll(text)", "strtol_of_c23(text, nullptr, 10)",
           "strftime(other, 9, text, &time_of_day)",
           "wcslen((wchar_t *)text)", "wcscpy((wchar_t *)other, (wchar_t *)text)",
           "wmemcpy((wchar_t *)other, (wchar_t *)text, n)")
WRITING = ("snprintf(text, 9, \"%d\", 5)", "sprintf(text, \"%d\", 5)",
           "(qsort(text, 8, 1, compare), 0)", "memset(text, 1, n)", "strncat(text, other, 3)",
           "mempcpy(text, other, n)", "stpncpy(text, other, 3)", "(bzero(text, n), 0)",
           "(explicit_bzero(text, n), 0)", "(bcopy(other, text, n), 0)",
           "memccpy(text, other, 7, n)", "strxfrm(text, other, 9)",
           "strftime(text, 9, \"%d\", &time_of_day)",
           "wcscpy((wchar_t *)text, wide)", "wmemcpy((wchar_t *)text, wide, n)",
           "wmemset((wchar_t *)text, L'a', n)")
# What a text says -> a call, the bytes of the text that it looks at last and not any more.
ENDS = (("   x", "atoi(text)", 3), ("-x", "strtol(text, nullptr, 0)", 1),
        ("0xg", "strtol(text, nullptr, 16)", 2), ("0xg", "strtol(text, nullptr, 10)", 1),
        ("12 ", "atoi(text)", 2), ("1e+x", "strtod(text, nullptr)", 3),
        ("1e5,", "strtod(text, nullptr)", 3), ("0x1p-,", "atof(text)", 5),
        ("infix", "strtof(text, nullptr)", 4), ("ink", "strtod(text, nullptr)", 2),
        ("nan(12", "strtod(text, nullptr)", 6), (".x", "strtod(text, nullptr)", 1),
        ("abcde", "strstr(text, \"bc\")", 2), ("abcde", "strcasestr(text, \"BC\")", 2))


def cases():
    """A body -> whether there is a race."""
    result = {}
    for call in READING:
        result[f"cilk_spawn put(text, 0); use({call}); cilk_sync;"] = True
        result[f"cilk_spawn put(text + 20, 0); use({call}); cilk_sync;"] = False
    for call in WRITING:
        result[f"cilk_spawn look_at(text); use({call}); cilk_sync;"] = True
        result[f"cilk_spawn look_at(text + 20); use({call}); cilk_sync;"] = False
    for said, call, last in ENDS:
        start = f"strcpy(text, \"{said}\"); cilk_spawn put(text"
        result[f"{start} + {last}, text[{last}]); use({call}); cilk_sync;"] = True
        result[f"{start} + {last + 1}, text[{last + 1}]); use({call}); cilk_sync;"] = False
    return result
