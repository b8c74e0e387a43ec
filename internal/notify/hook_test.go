package notify

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestTheAddressOfAHook(t *testing.T) {
	for address, ok := range map[string]bool{
		"": true, "https://example.com/x": true, "http://127.0.0.1:8080/": true, "http://localhost/x": true,
		"http://[::1]/": true, "ntfy:https://ntfy.sh/topic": true,
		"http://example.com": false, "ftp://example.com": false, "https://": false, "https://u:p@example.com": false,
		"example.com": false, "ntfy:http://ntfy.sh/topic": false, "file:///etc/passwd": false,
	} {
		if err := CheckURL(address); (err == nil) != ok {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func TestAHookIsToldLittleAndSigned(t *testing.T) {
	type heard struct{ body, signature, kind string }
	got := make(chan heard, 1)
	moved := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("followed") }))
	defer moved.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- heard{string(body), r.Header.Get(HeaderSignature), r.Header.Get("Content-Type")}
		if r.URL.Path == "/moved" {
			http.Redirect(w, r, moved.URL, http.StatusTemporaryRedirect)
		}
	}))
	defer server.Close()

	m := Message{Profile: 3, Request: "3-4711", Kind: "do", Agent: "claude-code", Title: "An agent asks."}
	if err := (Hook{URL: server.URL, Secret: "s"}).Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	const body = `{"profile":3,"request":"3-4711","kind":"do","agent":"claude-code"}`
	sum := hmac.New(sha256.New, []byte("s"))
	_, _ = sum.Write([]byte(body))
	want := heard{body, "sha256=" + hex.EncodeToString(sum.Sum(nil)), "application/json"}
	if h := <-got; h != want {
		t.Errorf("heard %+v, not %+v", h, want)
	}
	if err := (Hook{URL: "ntfy:" + server.URL}).Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if h := <-got; h.body != "An agent asks." || h.signature != "" {
		t.Errorf("ntfy heard %+v", h)
	}
	if err := (Hook{URL: server.URL + "/moved"}).Send(t.Context(), m); err == nil {
		t.Error("a redirect passes for heard")
	}
	<-got
}
