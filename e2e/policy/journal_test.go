//go:build e2e

package policy

import (
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"

	"cove/e2e/harness"
)

func names(lines []harness.JournalLine) string {
	var all []string
	for _, l := range lines {
		all = append(all, l.Name)
	}
	return strings.Join(all, " ")
}

func TestJournal(t *testing.T) {
	a := harness.Start(t)
	a.Open(1)
	if got := names(a.Journal(1)); got != "opened" {
		t.Fatalf("the journal of an open profile is %q", got)
	}
	a.Must("journal", "verify", "1") // while its keeper has it
	m := a.Agent("1")
	m.Works("new_page", harness.Object{"url": "about:blank"})
	a.Must("journal", "verify", "1")
	m.Close()
	a.Close(1)
	lines := a.Journal(1)
	if first, last := lines[0], lines[len(lines)-1]; first.Name != "opened" || first.Agent.Kind != "keeper" ||
		last.Name != "closed" || last.Seq != int64(len(lines)) {
		t.Fatalf("the journal of one session is %s", names(lines))
	}
	if out := a.Must("journal", "show", "1"); !strings.Contains(out, "Closed") {
		t.Errorf("show: %s", out)
	}

	// An ordinary session is the person's own.
	before := len(lines)
	a.OpenOrdinary(1)
	a.Close(1)
	if after := a.Journal(1); len(after) != before {
		t.Errorf("an ordinary session is in the journal: %s", names(after))
	}

	t.Run("only its owner reads it", func(t *testing.T) {
		for _, path := range []string{"/journal", "/journal/sessions", "/journal/export", "/journal/verify",
			"/journal/pictures/x"} {
			harness.MustRefuse(t, a.Get(harness.StatePath(1, path)), http.StatusUnauthorized, "E_UNAUTHORIZED")
		}
		r := a.Own(http.MethodGet, harness.StatePath(1, "/journal?newest=1&limit=1"), "")
		if harness.MustSucceed(t, r); !strings.Contains(r.Raw, `"name":"closed"`) {
			t.Errorf("the newest entry: %s", r.Raw)
		}
		for _, name := range []string{"x", "..%2Fkeeper.lock", "00000001-" + strings.Repeat("0", 64) + ".jpg"} {
			harness.MustRefuse(t, a.Own(http.MethodGet, harness.StatePath(1, "/journal/pictures/"+name), ""),
				http.StatusNotFound, "E_NOT_FOUND")
		}
	})
	t.Run("a clone has none", func(t *testing.T) {
		a.Must("profile", "clone", "1", "--data", "--name", "twin")
		if out := a.Must("journal", "verify", "twin"); !strings.Contains(out, "Entries: 0") {
			t.Error(out)
		}
	})
	t.Run("a killed keeper's verifies", func(t *testing.T) {
		a.Open(1)
		_ = syscall.Kill(a.Keeper(1), syscall.SIGKILL)
		harness.Wait(t, "the profile to close", func() bool { state, _ := a.State(1); return state == "" })
		a.Must("journal", "verify", "1")
		a.Open(1)
		a.Close(1)
		a.Must("journal", "verify", "1")
		if got := names(a.Journal(1)); !strings.HasSuffix(got, "opened opened closed") {
			t.Errorf("the journal is %s", got)
		}
	})
	t.Run("a change is found, also by later sessions", func(t *testing.T) {
		name := a.File(1, "journal/00000001.jsonl")
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found := func(says string) {
			t.Helper()
			if out, code := a.Cli("journal", "verify", "1"); code != 1 || !strings.Contains(out, says) {
				t.Errorf("exit code %d: %s", code, out)
			}
		}
		if err := os.WriteFile(name, []byte(strings.Replace(string(raw), "opened", "nothing", 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		found("00000001.jsonl, line 1: the entry was changed")
		if err := os.WriteFile(name, raw[:strings.LastIndex(strings.TrimSpace(string(raw)), "\n")+1],
			0o600); err != nil {
			t.Fatal(err)
		}
		found("missing at the end")
		a.Open(1)
		a.Close(1)
		found("Cove found the journal damaged")
	})
}
