//go:build unix

package secret_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cove/internal/fault"
	"cove/internal/secret"
)

// program writes a script that stands for a password manager and returns its name.
func program(t *testing.T, script string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "manager")
	if err := os.WriteFile(name, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil { //nolint:gosec // it is run
		t.Fatal(err)
	}
	return name
}

func command(t *testing.T, line string) *secret.Command {
	t.Helper()
	c, err := secret.ParseCommand(line)
	if err != nil {
		t.Fatal(err)
	}
	return &c
}

func TestACommandIsReadAsItsWords(t *testing.T) {
	name := program(t, "")
	for line, want := range map[string]string{
		"":                             "",
		" show  mail ":                 "show|mail",
		`read 'op://a vault/x?y=1'`:    "read|op://a vault/x?y=1",
		`read "a 'b' c"d`:              "read|a 'b' cd",
		`a\ b \$c "d\"e"`:              `a b|$c|d"e`,
		`'' ""`:                        "|",
		`'$HOME' '~' '*' '|' '` + "`'": "$HOME|~|*|||`",
	} {
		c, err := secret.ParseCommand(name + " " + line)
		if got := strings.Join(c.Args, "|"); err != nil || c.Program != name || got != want {
			t.Errorf("%s: %s %q, %v", line, c.Program, c.Args, err)
		}
	}
	for _, line := range []string{
		"", "  ", "pass show a | head -1", "a && b", "a; b", "echo $HOME", `echo "$HOME"`, "echo `id`", "echo \"`id`\"",
		"cat ~/x", "cat *", "cat < x", "echo 'a", `echo "a`, "a\nb", "echo {a,b}", "echo a # b", "no-such-program-at-all",
		"./here-is-none",
	} {
		c, err := secret.ParseCommand(line)
		if fault.KindOf(err) != fault.Invalid || fault.From(err).Field != "command" {
			t.Errorf("%q: %+v, %v", line, c, err)
		}
	}
}

func TestACommandGivesTheFirstLineThatItPrints(t *testing.T) {
	t.Setenv("COVE_HOME", "somewhere")
	for script, want := range map[string]string{
		`echo hunter2-hunter2`:                        "hunter2-hunter2",
		`printf 'hunter2-hunter2\r\nlogin: ann\n'`:    "hunter2-hunter2",
		`printf 'no line end'`:                        "no line end",
		`echo "$1 and $2"`:                            "a b and c",
		`echo "<$COVE_HOME> in $(pwd)"`:               "<> in " + homeDir(t),
		`read x; echo "read <$x>"`:                    "read <>",
		`echo warning: hunter2 >&2; echo pässwörter`:  "pässwörter",
		`echo '  spaces are a part  '`:                "  spaces are a part  ",
		`sleep 5 >/dev/null 2>&1 & echo hunter2-back`: "hunter2-back",
	} {
		got, err := command(t, program(t, script)+` "a b" c`).Run(t.Context(), "mail")
		if err != nil || got != want {
			t.Errorf("%s: %q, %v", script, got, err)
		}
	}
}

func homeDir(t *testing.T) string {
	t.Helper()
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	if home, err = filepath.EvalSymlinks(home); err != nil {
		t.Fatal(err)
	}
	return home
}

func TestACommandThatFailsSaysNothingOfWhatItPrinted(t *testing.T) {
	for script, says := range map[string]string{
		`echo hunter2-hunter2; exit 3`:                 "code 3",
		`echo hunter2-hunter2 >&2; exit 1`:             "code 1",
		`exit 0`:                                       "printed nothing",
		`printf '\nhunter2-hunter2'`:                   "printed nothing",
		`echo hunt`:                                    "6 to 4096 bytes",
		`printf 'hunter\377\376'`:                      "6 to 4096 bytes",
		`head -c 5000 /dev/zero | tr '\0' h`:           "6 to 4096 bytes",
		`while :; do echo hunter2-hunter2; done`:       "cannot be run",
		`echo hunter2-hunter2; kill -9 $$`:             "cannot be run",
		`printf hunter; while :; do printf hhhh; done`: "cannot be run",
	} {
		got, err := command(t, program(t, script)).Run(t.Context(), "mail")
		f := fault.From(err)
		if got != "" || f.Code != fault.CodeSecretCommand || !strings.Contains(f.Text, says) ||
			strings.Contains(f.Sentence(), "hunt") || !strings.Contains(f.Text, "secret mail") {
			t.Errorf("%s: %q, %+v", script, got, f)
		}
	}
	gone := program(t, "echo hunter2-hunter2")
	c := command(t, gone)
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Run(t.Context(), "mail"); fault.From(err).Code != fault.CodeSecretCommand {
		t.Error(err)
	}
}

func TestACommandEndsWithItsCall(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	fifo := filepath.Join(t.TempDir(), "begun")
	c := command(t, program(t, `touch "$1"; sleep 1000; echo hunter2-hunter2`)+" "+fifo)
	go func() {
		for {
			if _, err := os.Stat(fifo); err == nil {
				cancel()
				return
			}
		}
	}()
	if got, err := c.Run(ctx, "mail"); got != "" || fault.From(err).Code != fault.CodeSecretCommand {
		t.Errorf("%q, %v", got, err)
	}
}

func TestACommandIsKeptAndNeverItsValue(t *testing.T) {
	dir := profileDir(t, t.TempDir(), "1")
	s := secret.OpenHome(dir)
	c := command(t, program(t, "echo hunter2-hunter2"))
	if err := s.SetCommand("mail", "https://mail.test", *c); err != nil {
		t.Fatal(err)
	}
	one, err := secret.OpenHome(dir).Get("mail")
	if err != nil || one.Kind != secret.FromCommand || one.Value != "" || one.Command.Program != c.Program {
		t.Fatalf("%+v %v", one, err)
	}
	if _, err := one.Command.Run(t.Context(), "mail"); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(dir.Secrets())
	if err != nil || strings.Contains(string(raw), c.Program) || strings.Contains(string(raw), "hunter") {
		t.Errorf("%s, %v", raw, err)
	}
}
