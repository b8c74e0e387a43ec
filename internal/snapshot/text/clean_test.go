package text

import "testing"

func TestJoinersStayWhereLettersNeedThem(t *testing.T) {
	for in, want := range map[string]string{
		"می\u200cخواهم":                   "می\u200cخواهم",
		"👩\u200d👩\u200d👧":                 "👩\u200d👩\u200d👧",
		"❤\ufe0f\u200d🔥":                  "❤\ufe0f\u200d🔥",
		"क\u094d\u200dष":                  "क\u094d\u200dष",
		"a\u200cb\u200dc":                 "abc",
		"می\u200c\u200d\u200c\u200dخواهم": "می\u200dخواهم",
		"\u200cمی\u200c":                  "می",
		"👩 \u200d 👩":                      "👩 👩",
	} {
		if got := Clean(in); got != want {
			t.Errorf("%+q becomes %+q, not %+q", in, got, want)
		}
	}
}
