//go:build e2e

package e2e

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
)

// journalLine is what an entry is checked for here.
type journalLine struct {
	Seq                               int64
	Name, Outcome, Prev, Hash, Reason string
	Agent                             struct{ Kind, Name, Version string }
}

// journal is the exported journal, whose chain is checked as a stranger would: with nothing but SHA-256.
func (a *app) journal(id int) (lines []journalLine) {
	a.t.Helper()
	prev := ""
	for text := range strings.Lines(a.must("journal", "export", fmt.Sprint(id))) {
		var l journalLine
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			a.t.Fatalf("%s: %v", text, err)
		}
		body, _, _ := strings.Cut(text, `,"hash":"`+l.Hash)
		if sum := sha256.Sum256([]byte(body)); hex.EncodeToString(sum[:]) != l.Hash || l.Prev != prev {
			a.t.Fatalf("the chain is broken at %s", text)
		}
		prev = l.Hash
		lines = append(lines, l)
	}
	return lines
}

func names(lines []journalLine) string {
	var all []string
	for _, l := range lines {
		all = append(all, l.Name)
	}
	return strings.Join(all, " ")
}

func TestJournal(t *testing.T) {
	a := start(t)
	a.open(1)
	if got := names(a.journal(1)); got != "opened" {
		t.Fatalf("the journal of an open profile is %q", got)
	}
	a.must("journal", "verify", "1") // while its keeper has it
	m := a.agent("1")
	m.works("new_page", object{"url": "about:blank"})
	a.must("journal", "verify", "1")
	m.close()
	a.close(1)
	lines := a.journal(1)
	if first, last := lines[0], lines[len(lines)-1]; first.Name != "opened" || first.Agent.Kind != "keeper" || last.Name != "closed" || last.Seq != int64(len(lines)) {
		t.Fatalf("the journal of one session is %s", names(lines))
	}
	if out := a.must("journal", "show", "1"); !strings.Contains(out, "closed") {
		t.Errorf("show: %s", out)
	}

	// An ordinary session is the person's own.
	before := len(lines)
	a.openOrdinary(1)
	a.close(1)
	if after := a.journal(1); len(after) != before {
		t.Errorf("an ordinary session is in the journal: %s", names(after))
	}

	t.Run("only its owner reads it", func(t *testing.T) {
		for _, path := range []string{"/journal", "/journal/verify", "/journal/pictures/x"} {
			mustRefuse(t, a.get(statePath(1, path)), http.StatusUnauthorized, "E_UNAUTHORIZED")
		}
		r := a.own(http.MethodGet, statePath(1, "/journal?newest=1&limit=1"), "")
		if mustSucceed(t, r); !strings.Contains(r.Raw, `"name":"closed"`) {
			t.Errorf("the newest entry: %s", r.Raw)
		}
		for _, name := range []string{"x", "..%2Fkeeper.lock", "00000001-" + strings.Repeat("0", 64) + ".jpg"} {
			mustRefuse(t, a.own(http.MethodGet, statePath(1, "/journal/pictures/"+name), ""), http.StatusNotFound, "E_NOT_FOUND")
		}
	})
	t.Run("a clone has none", func(t *testing.T) {
		a.must("profile", "clone", "1", "--data", "--name", "twin")
		if out := a.must("journal", "verify", "twin"); !strings.Contains(out, "Entries: 0") {
			t.Error(out)
		}
	})
	t.Run("a killed keeper's verifies", func(t *testing.T) {
		a.open(1)
		_ = syscall.Kill(a.keeper(1), syscall.SIGKILL)
		wait(t, "the profile to close", func() bool { state, _ := a.state(1); return state == "" })
		a.must("journal", "verify", "1")
		a.open(1)
		a.close(1)
		a.must("journal", "verify", "1")
		if got := names(a.journal(1)); !strings.HasSuffix(got, "opened opened closed") {
			t.Errorf("the journal is %s", got)
		}
	})
	t.Run("a change is found, also by later sessions", func(t *testing.T) {
		name := a.file(1, "journal/00000001.jsonl")
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found := func(says string) {
			t.Helper()
			if out, code := a.cli("journal", "verify", "1"); code != 1 || !strings.Contains(out, says) {
				t.Errorf("exit code %d: %s", code, out)
			}
		}
		if err := os.WriteFile(name, []byte(strings.Replace(string(raw), "opened", "nothing", 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		found("00000001.jsonl, line 1: the entry was changed")
		if err := os.WriteFile(name, raw[:strings.LastIndex(strings.TrimSpace(string(raw)), "\n")+1], 0o600); err != nil {
			t.Fatal(err)
		}
		found("missing at the end")
		a.open(1)
		a.close(1)
		found("Cove found the journal damaged")
	})
}
