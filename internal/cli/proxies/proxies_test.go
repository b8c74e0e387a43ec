package proxies

import (
	"testing"

	"cove/api"
)

func TestAResultSaysWhatWasTested(t *testing.T) {
	for want, c := range map[string]*api.ProxyCheck{
		"not checked":                       nil,
		"Nothing listens.":                  {Error: "Nothing listens."},
		"reachable, login not tested, 3 ms": {Success: true, Tested: api.TestedConnection, Latency: 3},
		"reachable, login tested, 3 ms":     {Success: true, Tested: api.TestedLogin, Latency: 3},
		"works, 3 ms, 203.0.113.7, DE, Hamburg": {Success: true, Tested: api.TestedPage, Latency: 3,
			IP: "203.0.113.7", Country: "DE", City: "Hamburg"},
	} {
		if got := result(c); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
