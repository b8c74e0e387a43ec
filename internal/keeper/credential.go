package keeper

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cove/internal/paths"
	"cove/internal/process"
)

// credential answers whether a token is the owner's or an API token. The owner's is read each time, so it works without the app; API
// tokens only the app knows.
func (k *keeper) credential(ctx context.Context, token string) bool {
	if token == "" {
		return false
	}
	home := paths.Home(filepath.Dir(filepath.Dir(string(k.Dir))))
	raw, err := os.ReadFile(home.OwnerToken())
	if owner := strings.TrimSpace(string(raw)); err == nil && owner != "" && subtle.ConstantTimeCompare([]byte(owner), []byte(token)) == 1 {
		return true
	}
	return knownToApp(ctx, home, token)
}

// knownToApp asks the app. It is asked only if the process that wrote app.json still runs: a token goes to nobody else.
func knownToApp(ctx context.Context, home paths.Home, token string) bool {
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
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/v1.0/tokens", app.APIPort), nil)
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

// who names the process that has connected to the gate.
func who(remote, local netip.AddrPort) (string, int) {
	info, ok := process.Peer(remote, local)
	if !ok {
		return "", 0
	}
	return info.Name(), info.PID
}
