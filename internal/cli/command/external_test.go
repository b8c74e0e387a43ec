package command

import (
	"testing"

	"cove/api"
)

func TestAPersonsBrowserIsDescribed(t *testing.T) {
	own, failed := &api.External{DataDir: "/x", Dir: "Default"}, &api.StartFailure{Text: "No."}
	for want, p := range map[string]api.Profile{
		"open":                                  {State: "open"},
		"closed":                                {State: "closed", End: "let-go"},
		"your browser: shared":                  {State: "open", External: own},
		"your browser: stopping":                {State: "stopping", External: own},
		"your browser: connecting":              {State: "starting", External: own},
		"your browser: waits for Allow in it":   {State: "starting", Step: "wait-allow", External: own},
		"your browser: waits for the box in it": {State: "starting", Step: "switch-off", External: own},
		"your browser: not shared":              {State: "closed", External: own},
		"your browser: let go":                  {State: "closed", End: "let-go", External: own},
		"your browser: refused":                 {State: "closed", End: "refused", StartFailure: failed, External: own},
		"your browser: connection lost":         {State: "closed", End: "keeper-ended", External: own},
		"your browser: browser closed":          {State: "closed", End: "browser-quit", External: own},
		"your browser: box unticked":            {State: "closed", End: "switched-off", External: own},
		"your browser: not connected":           {State: "closed", End: "stopped", StartFailure: failed, External: own},
	} {
		if got := StateOf(p); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
