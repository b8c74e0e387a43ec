package httpapi

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cove/api"
	"cove/internal/account"
	"cove/internal/httpapi/signin"
)

// oneFile is a window's page of one file.
type oneFile struct{}

func (oneFile) File(name string) (string, []byte, bool) {
	return "text/html; charset=utf-8", []byte("<html>"), name == "index.html"
}

// ownerOnly knows the owner's token and one of another account.
type ownerOnly struct{ strangers }

func (ownerOnly) Credential(ctx context.Context, token string) (account.Account, error) {
	switch token {
	case "owner":
		return account.Account{Email: account.OwnerEmail, Owner: true}, nil
	case "other":
		return account.Account{Email: "ann@example.com"}, nil
	}
	return strangers{}.Credential(ctx, token)
}

func (ownerOnly) OwnersToken(token string) bool { return token == "owner" }

// noPIN is an owner without one.
type noPIN struct{ PIN }

func (noPIN) Check(context.Context, string) error { return nil }

type windowTest struct {
	*testing.T
	server *Server
}

func newWindowTest(t *testing.T) windowTest {
	return windowTest{t, New(Config{Accounts: ownerOnly{}, PIN: noPIN{}, Machine: anySetting{}, Window: oneFile{},
		About: api.Status{APIPort: api.DefaultPort}, Log: slog.New(slog.DiscardHandler)})}
}

// send sends a request with headers in pairs.
func (t windowTest) send(method, path, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(t.Context(), method, "http://127.0.0.1:3001"+path, strings.NewReader(body))
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	t.server.ServeHTTP(w, r)
	return w
}

func (t windowTest) code() string {
	t.Helper()
	w := t.send("POST", "/v1.0/ui/code", "", "Authorization", "Bearer owner")
	var made api.WindowCode
	if err := json.Unmarshal(w.Body.Bytes(), &made); err != nil || w.Code != 200 ||
		made.URL != "http://127.0.0.1:3001/#code="+made.Code {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	return made.Code
}

// exchange signs a page in and returns the headers by which it is known.
func (t windowTest) exchange(code string) (headers []string, status int) {
	t.Helper()
	w := t.send("POST", "/v1.0/ui/session", `{"code":"`+code+`"}`, "Sec-Fetch-Site", "same-origin", "Origin",
		"http://127.0.0.1:3001")
	if w.Code != 200 {
		return nil, w.Code
	}
	var s api.WindowSession
	if err := json.Unmarshal(w.Body.Bytes(), &s); err != nil {
		t.Fatal(err)
	}
	cookie := w.Result().Cookies()[0]
	if !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode || cookie.Domain != "" ||
		cookie.Name != "cove-3001" {
		t.Fatalf("%+v", cookie)
	}
	return []string{"Sec-Fetch-Site", "same-origin", "Cookie", cookie.Name + "=" + cookie.Value, signin.Header, s.Key},
		w.Code
}

func TestACodeSignsOnePageInOnce(t *testing.T) {
	w := newWindowTest(t)
	code := w.code()
	page, status := w.exchange(code)
	if status != 200 {
		t.Fatal(status)
	}
	if got := w.send("GET", "/v1.0/ui/session", "", page...); got.Code != 200 {
		t.Fatalf("a page that is signed in: %d %s", got.Code, got.Body)
	}
	for name, again := range map[string]string{"the same code": code, "no code": "", "a guess": strings.Repeat("0", 64),
		"a hash of it": signin.SessionOf(code)} {
		if _, status := w.exchange(again); status != 401 {
			t.Errorf("%s is answered with %d", name, status)
		}
	}
	if got := w.send("DELETE", "/v1.0/ui/session", "", page...); got.Code != 200 {
		t.Fatalf("signing out: %d %s", got.Code, got.Body)
	}
	if got := w.send("GET", "/v1.0/ui/session", "", page...); got.Code != 403 {
		t.Fatalf("a page that was signed out: %d", got.Code)
	}
}

func TestOnlyTheOwnerMakesCodes(t *testing.T) {
	w := newWindowTest(t)
	for token, status := range map[string]int{"": 401, "nobody": 401, "other": 403} {
		if got := w.send("POST", "/v1.0/ui/code", "", "Authorization", "Bearer "+token); got.Code != status {
			t.Errorf("the token %q: %d", token, got.Code)
		}
	}
}

func TestAPageNeedsItsCookieItsKeyAndItsOrigin(t *testing.T) {
	w := newWindowTest(t)
	page, _ := w.exchange(w.code())
	other, _ := w.exchange(w.code())
	cookie, key := page[3], page[5]
	for name, c := range map[string]struct {
		headers []string
		status  int
	}{
		"both":                            {page, 200},
		"both, from a program":            {page[2:], 200},
		"only the cookie":                 {[]string{"Sec-Fetch-Site", "same-origin", "Cookie", cookie}, 403},
		"only the cookie, from a program": {[]string{"Cookie", cookie}, 401},
		"only the key":                    {[]string{"Sec-Fetch-Site", "same-origin", signin.Header, key}, 403},
		"the key of another page": {[]string{"Sec-Fetch-Site", "same-origin", "Cookie", cookie, signin.Header,
			other[5]}, 403},
		"the cookie under another name": {[]string{"Sec-Fetch-Site", "same-origin", "Cookie",
			"cove-3002" + strings.TrimPrefix(cookie, "cove-3001"), signin.Header, key}, 403},
		"from another port": {append([]string{"Origin", "http://127.0.0.1:8000"}, page...), 403},
		"from another port, said as a site": {[]string{"Sec-Fetch-Site", "same-site", "Cookie", cookie, signin.Header,
			key}, 403},
		"from another site":    {append([]string{"Origin", "https://evil.example"}, page[2:]...), 403},
		"from a typed address": {[]string{"Sec-Fetch-Site", "none", "Cookie", cookie, signin.Header, key}, 403},
	} {
		if got := w.send("GET", "/v1.0/ui/session", "", c.headers...); got.Code != c.status {
			t.Errorf("%s: %d %s", name, got.Code, got.Body)
		}
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://evil.example:3001/v1.0/ui/session", nil)
	r.Header.Set("Cookie", cookie)
	r.Header.Set(signin.Header, key)
	got := httptest.NewRecorder()
	w.server.ServeHTTP(got, r)
	if got.Code != 403 {
		t.Errorf("a rebound name: %d", got.Code)
	}
}

func TestCodesAndPagesGrowOld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWindowTest(t)
		early, late := w.code(), w.code()
		page, _ := w.exchange(early)
		<-time.After(signin.CodeLife + time.Second)
		if _, status := w.exchange(late); status != 401 {
			t.Errorf("an old code: %d", status)
		}
		if got := w.send("GET", "/v1.0/ui/session", "", page...); got.Code != 200 {
			t.Errorf("a page after its code has grown old: %d", got.Code)
		}
		<-time.After(signin.Life)
		if got := w.send("GET", "/v1.0/ui/session", "", page...); got.Code != 403 {
			t.Errorf("an old page: %d", got.Code)
		}
	})
}

// kept is a memory without a disk.
type kept struct{ raw []byte }

func (k *kept) Recall() []byte      { return k.raw }
func (k *kept) Remember(raw []byte) { k.raw = raw }

func TestPagesOutliveTheApp(t *testing.T) {
	memory := &kept{}
	again := func() windowTest {
		w := newWindowTest(t)
		c := w.server.config
		c.Memory = memory
		w.server = New(c)
		return w
	}
	first := again()
	page, _ := first.exchange(first.code())
	code := first.code()
	for _, secret := range []string{strings.TrimPrefix(page[3], "cove-3001="), page[5], code} {
		if strings.Contains(string(memory.raw), secret) {
			t.Errorf("a secret is written down: %s", memory.raw)
		}
	}
	second := again()
	if got := second.send("GET", "/v1.0/ui/session", "", page...); got.Code != 200 {
		t.Errorf("a page after a restart: %d %s", got.Code, got.Body)
	}
	if _, status := second.exchange(code); status != 401 {
		t.Errorf("a code of the last app: %d", status)
	}
	second.send("DELETE", "/v1.0/ui/session", "", page...)
	if got := again().send("GET", "/v1.0/ui/session", "", page...); got.Code != 403 {
		t.Errorf("a page that was signed out, after a restart: %d", got.Code)
	}
	for _, broken := range []string{"null", "{", "[]", ""} {
		memory.raw = []byte(broken)
		w := again()
		if page, status := w.exchange(w.code()); status != 200 || w.send("GET", "/v1.0/ui/session", "", page...).
			Code != 200 {
			t.Errorf("nobody can sign in after %q", broken)
		}
	}
}

func TestThePageRunsOnlyItsOwnScripts(t *testing.T) {
	got := newWindowTest(t).send("GET", "/", "", "Sec-Fetch-Site", "none")
	policy := got.Header().Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'",
		"frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("%q is not in %q", want, policy)
		}
	}
	for _, never := range []string{"unsafe", "*", "http", "data:", "blob:", "nonce", "sha256"} {
		if strings.Contains(policy, never) {
			t.Errorf("%q is in %q", never, policy)
		}
	}
	if got.Code != 200 || got.Header().Get("X-Content-Type-Options") != "nosniff" || got.Header().
		Get("Referrer-Policy") != "no-referrer" {
		t.Errorf("%d %v", got.Code, got.Header())
	}
}
