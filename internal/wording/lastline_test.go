package wording

import "testing"

func TestTheLastLineOfAProgramSaysWhatWentWrong(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "",
		"one\ntwo\n\n":                     "two",
		"cove: It failed.\n  Do that.\n":   "It failed. Do that.",
		"other: It failed.\n  at line 1\n": "at line 1",
		"out of luck\nnpm A complete log of this run can be found in: /x\n": "out of luck",
	} {
		if got := LastLine(text); got != want {
			t.Errorf("%q ends with %q, not %q", text, got, want)
		}
	}
}
