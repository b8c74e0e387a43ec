package paths

import (
	"runtime"
	"testing"
)

func TestAdviceNamesTheDataFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its shell quotes in another way")
	}
	const home = Home("/srv/my cove")
	const flag = " --home '/srv/my cove'"
	for hint, want := range map[string]string{
		"":                        "",
		"Start it with: cove up":  "Start it with: cove up" + flag,
		"Start it with: cove up.": "Start it with: cove up" + flag + ".",
		"`cove profile list` shows the profiles.": "`cove profile list" + flag +
			"` shows the profiles.",
		"Answer with: cove approvals approve 1, or: cove approvals refuse 1": "Answer with: cove approvals " +
			"approve 1" + flag + ", or: cove approvals refuse 1" + flag,
		"Send an API token (cove token create NAME) or the text of a file.": "Send an API token (cove token " +
			"create NAME" + flag + ") or the text of a file.",
		"Name another one with: cove profile edit 1 --browser PATH (\"\" for none).": "Name another one with: cove " +
			"profile edit 1 --browser PATH" + flag + " (\"\" for none).",
		"Open it: cove policy set 1 --allow https://a.example:1 --clear allow,block": "Open it: cove policy set 1 " +
			"--allow https://a.example:1 --clear allow,block" + flag,
		"Restart Cove: cove stop-app, cove up. The rest needs nothing.": "Restart Cove: cove stop-app" +
			flag + ", cove up" + flag + ". The rest needs nothing.",
		"Look into /srv/my cove/logs, then: cove up --home /elsewhere": "Look into /srv/my cove/logs, then: cove up " +
			"--home /elsewhere",
		"Cove starts by itself, and cove-1 is an entry.": "Cove starts by itself, and cove-1 is an entry.",
		"See: cove profile create --help":                "See: cove profile create --help",
		"bin/cove status":                                "bin/cove status" + flag,
		"Run `cove start 1`\n  `cove stop 1`": "Run `cove start 1" + flag +
			"`\n  `cove stop 1" + flag + "`",
	} {
		if got := home.Advice(hint); got != want {
			t.Errorf("%q became\n%q, not\n%q", hint, got, want)
		}
		if got := home.Advice(home.Advice(hint)); got != want {
			t.Errorf("%q became %q the second time", hint, got)
		}
	}
	t.Setenv("HOME", "/home/me")
	for _, xdg := range []string{"", "/conf"} {
		t.Setenv("XDG_CONFIG_HOME", xdg)
		usual, err := DefaultHome()
		if err != nil {
			t.Fatal(err)
		}
		if got := usual.Advice("cove up"); got != "cove up" {
			t.Errorf("with XDG_CONFIG_HOME %q: %q", xdg, got)
		}
	}
}

func TestAdviceNamesTheProgramAsItIsCalled(t *testing.T) {
	for hint, want := range map[string]string{
		"Start it with: cove up":                     "Start it with: bin/cove up",
		"`cove profile list` shows, or: cove stop 1": "`bin/cove profile list` shows, or: bin/cove stop 1",
		"/opt/cove up":                               "/opt/cove up",
		"cove-1 and recove up stay":                  "cove-1 and recove up stay",
		"See: cove profile --help":                   "See: bin/cove profile --help",
	} {
		if got := CalledAs("bin/cove", hint); got != want {
			t.Errorf("%q became %q, not %q", hint, got, want)
		}
		if got := CalledAs("cove", hint); got != hint {
			t.Errorf("%q became %q", hint, got)
		}
	}
}
