//go:build e2e

package api

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"cove/e2e/harness"
)

// Whenever a browser is killed, a start that answers with a port means a browser that takes commands there: never one
// that is gone.
func TestAStartAfterAKillNeverLeadsToADeadGate(t *testing.T) {
	a := harness.Start(t)
	rounds := 10
	if n, err := strconv.Atoi(os.Getenv("COVE_E2E_KILLS")); err == nil {
		rounds = n
	}
	dead := 0
	for round := range rounds {
		a.Open(1)
		if round%3 == 0 {
			harness.Delay(t.Context(), time.Duration(rand.IntN(300))*time.Millisecond) // at any moment of its life
		}
		pid := a.Browser(1)
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		// And the start at any moment of its end.
		harness.Delay(t.Context(), time.Duration(rand.IntN(40))*time.Millisecond)
		r, err := a.Try(http.MethodGet, "/v1.0/browser_profiles/1/start?automation=1", "")
		if err != nil {
			t.Fatal(err)
		}
		if r.Port() == 0 {
			t.Logf("round %d: the start answered %d %s", round, r.Status, r.Code())
			harness.Wait(t, "a start that works", func() bool {
				r, err = a.Try(http.MethodGet, "/v1.0/browser_profiles/1/start?automation=1", "")
				return err == nil && r.Port() != 0
			})
		}
		if why := reach(t, r.Port()); why != "" {
			dead++
			t.Errorf("round %d: the start answered %d %s with port %d: %s", round, r.Status, r.Code(), r.Port(), why)
		}
		a.Close(1)
	}
	t.Logf("%d of %d starts led to a gate without a browser", dead, rounds)
}

// reach says why a browser cannot be used at a port; "" when it can.
func reach(t *testing.T, port int) string {
	t.Helper()
	res, err := harness.Get(t, fmt.Sprintf("http://127.0.0.1:%d/json/version", port))
	if err != nil {
		return "json/version: " + err.Error()
	}
	var v struct{ WebSocketDebuggerURL string }
	err = json.NewDecoder(res.Body).Decode(&v)
	_ = res.Body.Close()
	if err != nil || res.StatusCode != http.StatusOK {
		return fmt.Sprintf("json/version: %d %v", res.StatusCode, err)
	}
	ws, res, err := websocket.Dial(t.Context(), v.WebSocketDebuggerURL, nil)
	if err != nil {
		return fmt.Sprintf("connect: %v %v", res, err)
	}
	defer func() { _ = ws.CloseNow() }()
	if err := ws.Write(t.Context(), websocket.MessageText,
		[]byte(`{"id":1,"method":"Browser.getVersion"}`)); err != nil {
		return "write: " + err.Error()
	}
	if _, _, err := ws.Read(t.Context()); err != nil {
		return "read: " + err.Error()
	}
	return ""
}
