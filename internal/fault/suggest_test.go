package fault

import "testing"

func TestSuggest(t *testing.T) {
	clients := []string{"claude-code", "claude-desktop", "cursor", "vscode", "codex", "opencode", "zed", "amp"}
	for word, want := range map[string]string{
		"claude":      "Did you mean claude-code or claude-desktop? ",
		"Claude Code": "Did you mean claude-code? ",
		"claudecode":  "Did you mean claude-code? ",
		"cursr":       "Did you mean cursor? ",
		"crusor":      "Did you mean cursor? ",
		"CURSOR":      "Did you mean cursor? ",
		"vs-code":     "Did you mean vscode? ",
		"open-code":   "Did you mean opencode? ",
		"zde":         "Did you mean zed? ",
		"emacs":       "",
		"x":           "",
		"":            "",
		"--":          "",
		"ü":           "",
	} {
		if got := Suggest(word, clients...); got != want {
			t.Errorf("%q: %q, not %q", word, got, want)
		}
	}
}

func FuzzNearest(f *testing.F) {
	f.Add("claude", "claude-code")
	f.Add("", "\xff")
	f.Fuzz(func(t *testing.T, word, option string) {
		for _, one := range Nearest(word, option) {
			if one != option {
				t.Errorf("%q is none of the options", one)
			}
		}
		if len(plain(word)) > 0 && len(Nearest(word, word)) != 1 {
			t.Errorf("%q is not near itself", word)
		}
	})
}
