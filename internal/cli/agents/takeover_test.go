package agents

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"cove/api"
	"cove/internal/cli/command"
)

func TestATakeoverSaysWhereToWork(t *testing.T) {
	for name, row := range map[string]struct {
		answer   api.Takeover
		external *api.External
		back     bool
		says     string
		silent   string
	}{
		"in the window": {answer: api.Takeover{Window: true}, says: "Its window is in front."},
		"nowhere":       {says: "it was opened headless"},
		"in the person's own browser": {external: &api.External{DataDir: "/x", Dir: "Default"},
			says: "Work in your own browser", silent: "headless"},
		"and what agents are told": {
			answer: api.Takeover{Note: "Given back."}, back: true, says: "agents: Given back.",
		},
		"and that they are told nothing": {back: true, says: "Agents in profile 2 can continue.\n",
			silent: "Message"},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var answer any = api.ProfileData{Data: api.Profile{ID: 2, External: row.external}}
				if r.Method == http.MethodPost {
					answer = row.answer
				}
				_ = json.NewEncoder(w).Encode(answer)
			}))
			defer server.Close()
			var out bytes.Buffer
			env := &command.Env{Home: "/nowhere", In: strings.NewReader(""), Out: &out, Err: &out}
			if err := setTakeover(t.Context(), env, &api.Client{Base: server.URL}, 2, row.back); err != nil {
				t.Fatal(err)
			}
			if text := out.String(); !strings.Contains(text, row.says) ||
				(row.silent != "" && strings.Contains(text, row.silent)) {
				t.Error(text)
			}
		})
	}
}
