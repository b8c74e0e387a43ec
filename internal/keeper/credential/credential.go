// Package credential checks the tokens that open a guarded port.
package credential

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"cove/internal/paths"
	"cove/internal/process"
)

// Valid reports whether a token is the owner's or an API token. The owner's token is read from its file each
// time, so it works without the app. Only the app knows API tokens.
func Valid(ctx context.Context, home paths.Home, token string) bool {
	if token == "" {
		return false
	}
	raw, err := os.ReadFile(home.OwnerToken())
	owner := strings.TrimSpace(string(raw))
	if err == nil && owner != "" && subtle.ConstantTimeCompare([]byte(owner), []byte(token)) == 1 {
		return true
	}
	return isAPIToken(ctx, home, token)
}

// isAPIToken asks the app about a token. It asks only if the process that wrote app.json still runs, so that nobody
// else sees the token.
func isAPIToken(ctx context.Context, home paths.Home, token string) bool {
	var app struct {
		process.ID
		APIPort int `json:"api_port"`
	}
	raw, err := os.ReadFile(home.AppFile())
	if err != nil || json.Unmarshal(raw, &app) != nil || app.APIPort == 0 || !app.Alive() {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	url := fmt.Sprintf("http://127.0.0.1:%d/v1.0/tokens", app.APIPort)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	req.Header.Set("Authorization", "Bearer "+token)
	res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		return false
	}
	_ = res.Body.Close()
	return res.StatusCode == http.StatusOK
}
