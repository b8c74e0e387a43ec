//go:build e2e

package clients

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cove/e2e/harness"
	"cove/internal/secret/totp"
)

// bank is a site behind a password and a one-time code, with a file, and a form that a person has to allow.
type bank struct {
	*httptest.Server
	setup     totp.Setup
	transfers atomic.Int32
}

const (
	bankPassword = "correct horse battery"
	bankKey      = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
)

func newBank(t *testing.T) *bank {
	t.Helper()
	setup, err := totp.Parse(bankKey)
	if err != nil {
		t.Fatal(err)
	}
	b := &bank{setup: setup}
	mux := http.NewServeMux()
	show := func(w http.ResponseWriter, title, body string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, "<!doctype html><title>%s</title><h1>%[1]s</h1>%s", title, body)
	}
	signedIn := func(r *http.Request) bool { c, err := r.Cookie("in"); return err == nil && c.Value == "yes" }
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		if signedIn(r) {
			show(w, "Account", `<a href=/bill>Download the bill</a><form action=/transfer method=post>
<label>Amount <input name=amount></label><label>Card <input name=card autocomplete=cc-number></label>
<button>Transfer</button></form>`)
			return
		}
		show(w, "Sign in", `<form action=/in method=post><label>User <input name=user></label>
<label>Password <input name=password type=password></label><button>Sign in</button></form>`)
	})
	mux.HandleFunc("POST /in", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("user") != "ann" || r.FormValue("password") != bankPassword {
			show(w, "Wrong password", "")
			return
		}
		show(w, "Second step", `<form action=/code method=post>
<label>Code <input name=code autocomplete=one-time-code></label><button>Continue</button></form>`)
	})
	mux.HandleFunc("POST /code", func(w http.ResponseWriter, r *http.Request) {
		now, _ := b.setup.Step(time.Now())
		for _, step := range []int64{now, now - 1} { // the request may take its time
			if b.setup.Code(step) == r.FormValue("code") {
				http.SetCookie(w, &http.Cookie{Name: "in", Value: "yes", Path: "/"})
				http.Redirect(w, r, "/", http.StatusSeeOther)
				return
			}
		}
		show(w, "Wrong code", "")
	})
	mux.HandleFunc("GET /bill", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=bill.txt")
		_, _ = fmt.Fprintf(w, "the bill, signed in: %v", signedIn(r))
	})
	mux.HandleFunc("POST /transfer", func(w http.ResponseWriter, r *http.Request) {
		b.transfers.Add(1)
		show(w, "Sent", "Sent "+r.FormValue("amount")+" euros")
	})
	b.Server = httptest.NewServer(mux)
	t.Cleanup(b.Close)
	return b
}

// strangersScript knows nothing but the text of the skill: snapshots, refs, marks, exit codes.
const strangersScript = `set -u
ref() { cove page snapshot | sed -n "s/^ *\([a-z]*[0-9]*\) $1.*/\1/p" | head -1; }
cove page open "$BANK" || exit
cove page secrets
cove page fill "$(ref 'textbox "User"')=ann" "$(ref 'textbox "Password"')={{secret:bank}}" || exit
cove page click "$(ref 'button "Sign in"')" --timeout 60s || exit
cove page fill "$(ref 'textbox "Code"')={{totp:bank-code}}" || exit
cove page click "$(ref 'button "Continue"')" --timeout 60s || exit
cove page find 'Account' || exit
cove page click "$(ref 'link "Download the bill"')" --timeout 60s || exit
cove page downloads --wait || exit
cove page fill "$(ref 'textbox "Amount"')=25" "$(ref 'textbox "Card"')=4111111111111111" || exit
send=$(ref 'button "Transfer"')
cove page click "$send" --timeout 1s
code=$?
echo "first try: exit $code"
touch asked
while [ $code = 8 ]; do cove page click "$send" --timeout 5s; code=$?; done
echo "at last: exit $code"
cove page find 'Sent 25 euros'
`

// TestAStrangersScript: a script of somebody who has read only the skill signs in with a secret and a one-time code,
// downloads a file, and sends a form that needs a yes. The journal tells it in words, without what was typed.
func TestAStrangersScript(t *testing.T) {
	web, a := newBank(t), harness.Start(t, harness.With("HOME="+t.TempDir()))
	a.Must("policy", "set", "1", "--preset", "guarded", "--right", "download=yes")
	secret(t, a, bankPassword, "bank", "--profile", "1", "--site", web.URL)
	secret(t, a, bankKey, "bank-code", "--totp", "--profile", "1", "--site", web.URL)

	s := a.Shell("stranger", "script")
	s.Env = append(s.Env, "BANK="+web.URL)
	done := make(chan harness.Printed, 1)
	go func() { done <- s.Script(strangersScript) }()
	a.AnswerRequest(t, "Sign in", true)
	a.AnswerRequest(t, "Continue", true)
	harness.WaitLong(t, 3*harness.Patience, "the form to need a yes", func() bool {
		return harness.Exists(filepath.Join(s.Dir, "asked"))
	})
	if n := web.transfers.Load(); n != 0 {
		t.Errorf("the form was sent %d times without a yes", n)
	}
	a.AnswerRequest(t, "Transfer", true)
	p := <-done
	if p.Code != 0 {
		t.Fatalf("exit code %d\n%s%s", p.Code, p.Out, p.Err)
	}
	has(t, p.Out, "{{secret:bank}} "+web.URL, "{{totp:bank-code}} "+web.URL, `heading "Account"`, "bill.txt",
		"first try: exit 8", "at last: exit 0", "Sent 25 euros")
	if n := web.transfers.Load(); n != 1 {
		t.Errorf("the form was sent %d times", n)
	}

	words := a.Must("journal", "show", "1")
	has(t, words, "stranger", "Sign in", "Transfer", "Download the bill")
	for _, typed := range []string{bankPassword, "4111111111111111", bankKey} {
		if strings.Contains(words+p.Out+p.Err, typed) {
			t.Errorf("%q was told", typed)
		}
	}
}

// secret sets a secret as a person does: its value comes from standard input.
func secret(t *testing.T, a *harness.App, value string, words ...string) {
	t.Helper()
	cmd := harness.Exec(t, harness.Cove, append([]string{"secret", "set"}, words...)...)
	cmd.Env, cmd.Stdin = a.Environ(), strings.NewReader(value+"\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}
