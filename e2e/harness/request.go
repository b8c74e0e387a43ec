//go:build e2e

package harness

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Answer is an HTTP answer, read.
type Answer struct {
	Status int
	Header http.Header
	Body   map[string]any
	Raw    string
}

// Code is errorObject.code.
func (r Answer) Code() string {
	o, _ := r.Body["errorObject"].(map[string]any)
	c, _ := o["code"].(string)
	return c
}

// Port is automation.port, 0 without one.
func (r Answer) Port() int {
	o, _ := r.Body["automation"].(map[string]any)
	p, _ := o["port"].(float64)
	return int(p)
}

// Request sends one request as a program would; header values come in pairs.
func (a *App) Request(method, path, body string, header ...string) Answer {
	a.T.Helper()
	r, err := a.Try(method, path, body, header...)
	if err != nil {
		a.T.Fatalf("%s %s: %v", method, path, err)
	}
	return r
}

// Try is Request for a caller that expects the connection to break.
func (a *App) Try(method, path, body string, header ...string) (Answer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	var in io.Reader
	if body != "" {
		in = strings.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, method, a.Base+path, in)
	if err != nil {
		return Answer{}, err
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			req.Host = header[i+1]
		}
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return Answer{}, err
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return Answer{}, err
	}
	r := Answer{Status: res.StatusCode, Header: res.Header, Raw: string(raw)}
	_ = json.Unmarshal(raw, &r.Body)
	return r, nil
}

// Get is a request without a credential.
func (a *App) Get(path string) Answer { a.T.Helper(); return a.Request(http.MethodGet, path, "") }

// Own is a request with the owner's token.
func (a *App) Own(method, path, body string) Answer {
	a.T.Helper()
	return a.Request(method, path, body, "Authorization", "Bearer "+a.Token(), "Content-Type", "application/json")
}

// Token is the owner's token.
func (a *App) Token() string {
	a.T.Helper()
	raw, err := os.ReadFile(filepath.Join(a.Home, "owner.token"))
	if err != nil {
		a.T.Fatal(err)
	}
	return strings.TrimSpace(string(raw))
}
