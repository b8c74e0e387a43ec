package httpapi

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"cove/api"
)

// An agent can send its tab to our own page; from there every call is same-origin.
func TestOurOwnPageNeedsAToken(t *testing.T) {
	server := New(Config{Accounts: strangers{}, Machine: anySetting{}, Window: oneFile{},
		About: api.Status{APIPort: api.DefaultPort}, Log: slog.New(slog.DiscardHandler)})
	for _, c := range []struct {
		method, path string
		status       int
	}{
		{"GET", "/docs", 200}, {"GET", "/docs/", 200}, {"GET", "/docs/docs.js", 200}, {"GET", "/", 200},
		{"GET", "/v1.0/openapi.json", 200},
		{"GET", "/v1.0/browser_profiles/1/start?automation=1", 403}, {"GET", "/browser_profiles/1/stop/", 403},
		{"POST", "/v1.0/auth/logout", 403},
		{"POST", "/v1.0/auth/login-with-token", 403}, {"GET", "/v1.0/browser_profiles", 403},
		{"GET", "/v1.0/events", 403}, {"GET", "/v1.0/browser_profiles/running", 403},
		{"POST", "/v1.0/status", 405}, {"GET", "/ui/nothing.js", 404}, {"GET", "/v1.0/ui/session", 403},
		{"GET", "/ui/session", 403}, {"POST", "/v1.0/ui/session", 401}, {"POST", "/v1.0/ui/code", 403},
		{"DELETE", "/v1.0/ui/session", 403},
		{"GET", "/v1.0/browser_profiles/1/live", 403}, {"GET", "/v1.0/activity", 403},
		{"GET", "/v1.0/agents", 403},
	} {
		r := httptest.NewRequestWithContext(t.Context(), c.method, "http://127.0.0.1:3001"+c.path, nil)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		w := httptest.NewRecorder()
		server.ServeHTTP(w, r)
		if w.Code != c.status {
			t.Errorf("%s %s: %d %s", c.method, c.path, w.Code, http.StatusText(w.Code))
		}
	}
}

// Programs that wait for a server ask for its headers first.
func TestHeadReadsAndNeverActs(t *testing.T) {
	server := New(Config{Accounts: strangers{}, Machine: anySetting{}, Window: oneFile{},
		About: api.Status{APIPort: api.DefaultPort}, Log: slog.New(slog.DiscardHandler)})
	for path, status := range map[string]int{
		"/": 200, "/docs": 200, "/v1.0/openapi.json": 200,
		"/v1.0/browser_profiles/1/start": 405, "/browser_profiles/1/stop/": 405, "/v1.0/browser_profiles/1/live": 405,
		"/v1.0/activity": 405,
		"/v1.0/events":   405, "/v1.0/auth/logout": 405,
	} {
		w := httptest.NewRecorder()
		server.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodHead, "http://127.0.0.1:3001"+path,
			nil))
		if w.Code != status {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}
