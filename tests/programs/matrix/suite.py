"""Cases as tests of lit: of ../lit.cfg.py, and of the modes (../../modes/lit.cfg.py)."""

import lit.Test


class Suite:
    """A test format. A case has a name, and perform(), which returns a result of lit's and a
    text."""

    def __init__(self, cases):
        cases = list(cases)
        self.cases = {case.name: case for case in cases}
        assert len(self.cases) == len(cases), "two cases have one name"

    def getTestsInDirectory(self, suite, path_in_suite, lit_config, config):
        if not path_in_suite:
            for name in self.cases:
                yield lit.Test.Test(suite, tuple(name.split("/")), config)

    def execute(self, test, lit_config):
        result, text = self.cases["/".join(test.path_in_suite)].perform()
        return getattr(lit.Test, result), text
