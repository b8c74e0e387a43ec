package httpapi

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"cove/api"
	"cove/internal/httpapi/call"
)

// ask makes one call with headers in pairs and no prefix of its own.
func (o *office) ask(method, path, body string, header ...string) *httptest.ResponseRecorder {
	o.t.Helper()
	r := httptest.NewRequestWithContext(o.t.Context(), method, "http://127.0.0.1:3001"+path, strings.NewReader(body))
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	o.ServeHTTP(w, r)
	return w
}

func TestATokenInEveryHeaderThatScriptsSend(t *testing.T) {
	o := newOffice(t)
	const authorization, session = "Authorization", call.HeaderSession
	for _, headers := range [][]string{{authorization, "Bearer TOKEN"}, {authorization, "bearer  TOKEN "},
		{authorization, "TOKEN"}, {authorization, " TOKEN"}, {session, "TOKEN"}, {session, "Bearer TOKEN"},
		{authorization, "Bearer of-dolphin", session, "TOKEN"}, {authorization, "TOKEN", session, "of-dolphin"},
		{authorization, "Basic b3duZXI6", session, "TOKEN"}, {authorization, "Bearer ", session, "TOKEN"},
		{authorization, "", session, "TOKEN"}} {
		for token, person := range map[string]int{o.token: 403, ownersToken: 200} {
			sent := make([]string, len(headers))
			for i, h := range headers {
				sent[i] = strings.ReplaceAll(h, "TOKEN", token)
			}
			if w := o.ask("GET", "/v1.0/tokens", "", sent...); w.Code != 200 {
				t.Errorf("%q: %d %s", headers, w.Code, w.Body)
			}
			if w := o.ask("POST", "/v1.0/tokens", `{"name":"x"}`, sent...); w.Code != person {
				t.Errorf("%q to what the person may do: %d %s", headers, w.Code, w.Body)
			}
		}
	}
	for _, headers := range [][]string{{authorization, "Basic " + o.token}, {authorization, o.token + " x"},
		{authorization, "Bearer x " + o.token}, {authorization, "Bearer"}, {session, ""}, {session, "Token " + o.token},
		{"Token", o.token}, {"X-Api-Key", o.token}, {"Cookie", "token=" + o.token},
		{authorization, "of-dolphin", session, "also"}} {
		w := o.ask("GET", "/v1.0/tokens", "", headers...)
		if w.Code != 401 || w.Header().Get("WWW-Authenticate") != "Bearer" || strings.Contains(w.Body.String(), o.token) {
			t.Errorf("%q: %d %s", headers, w.Code, w.Body)
		}
		// An unknown token counts as none: it does not fail a call that needs none.
		if w := o.ask("GET", "/v1.0/browser_profiles", "", headers...); w.Code != 200 {
			t.Errorf("%q: %d %s", headers, w.Code, w.Body)
		}
	}
}

// A token for programs beside the owner's counts as what Cove finds first, never as both.
func TestTwoTokensAreNotAddedUp(t *testing.T) {
	o := newOffice(t)
	w := o.ask("POST", "/v1.0/tokens", `{"name":"x"}`, "Authorization", o.token, call.HeaderSession, ownersToken)
	if w.Code != 403 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestLoginOfScripts(t *testing.T) {
	o := newOffice(t)
	o.want(200, "", ownersToken, "POST", "/accounts", `{"email":"ann@example.com","password":"long enough","plan":"team"}`)
	login := func(path, body string, header ...string) string {
		w := o.ask("POST", path, body, header...)
		var in api.LoggedIn
		if err := json.Unmarshal(w.Body.Bytes(), &in); err != nil || w.Code != 200 || !in.Success {
			t.Fatalf("%s %s: %d %s", path, body, w.Code, w.Body)
		}
		return in.Token
	}
	if token := login("/v1.0/auth/login", `{"email":"ann@example.com","password":"long enough"}`); token != "" {
		t.Error("the versioned call makes a token")
	}
	first := login("/auth/login", `{"username":"ann@example.com","password":"long enough"}`)
	o.want(200, "", first, "GET", "/tokens", "")
	second := login("/api/v2/auth/login", "email=ann%40example.com&password=long+enough", "Content-Type", formType)
	o.want(401, "E_UNAUTHORIZED", first, "GET", "/tokens", "")
	status, _, answer := o.send(second, "GET", "/tokens", "")
	if status != 200 || strings.Count(answer, `"name":"auth/login"`) != 1 || strings.Contains(answer, second) {
		t.Errorf("%d %s", status, answer)
	}
	o.want(403, "E_NOT_OWNER", second, "POST", "/tokens", `{"name":"mine"}`)
	o.want(400, "E_INVALID", ownersToken, "POST", "/tokens", `{"name":"auth/login"}`)

	if w := o.ask("POST", "/auth/login", `{"username":"ann@example.com","password":"wrong enough"}`); w.Code != 401 ||
		strings.Contains(w.Body.String(), "token\"") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	o.want(200, "", second, "GET", "/tokens", "") // a wrong password revokes nothing
}

func TestLoginWithAToken(t *testing.T) {
	o := newOffice(t)
	form := []string{"Content-Type", formType}
	for _, body := range []string{`{"token":"TOKEN"}`, `{"dolphinToken":"TOKEN"}`, `{"token":"Bearer TOKEN"}`,
		`{"token":" bearer TOKEN\n"}`, `{"token":"","dolphinToken":"Bearer TOKEN"}`} {
		o.want(200, "", "", "POST", "/auth/login-with-token", strings.ReplaceAll(body, "TOKEN", o.token))
	}
	o.want(200, "", "", "POST", "/auth/login-with-token", "token="+o.token, form...)
	for _, body := range []string{`{"token":"wrong"}`, `{"dolphinToken":"wrong"}`, `{}`, ``, `{"token":"Basic TOKEN"}`,
		`{"token":"TOKEN x"}`} {
		o.want(401, "E_UNAUTHORIZED", "", "POST", "/auth/login-with-token", strings.ReplaceAll(body, "TOKEN", o.token))
	}
	// Scripts ask so whether anybody is there.
	o.want(405, "E_METHOD", "", "GET", "/auth/login-with-token", "")
}
