package bridge

import (
	"strings"
	"testing"
)

func TestHeadKnowsWhoseAnswerItIs(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	for name, tc := range map[string]struct{ raw, id, method string }{
		"an answer":                        {`{"jsonrpc":"2.0","id":7,"result":{"id":8,"method":"no"}}`, "7", ""},
		"a long answer":                    {`{"jsonrpc":"2.0","id":"a","result":{"text":"` + long + `"}}`, `"a"`, ""},
		"an answer with a long id":         {`{"jsonrpc":"2.0","id":"` + long + `","result":{}}`, `"` + long + `"`, ""},
		"an answer that names itself last": {`{"result":{"id":8},"id":9,"jsonrpc":"2.0"}`, "9", ""},
		"an error": {`{"jsonrpc":"2.0","id":3,"error":{"code":-32000,"message":"no"}}`, "3",
			""},
		"a notice": {
			`{"jsonrpc":"2.0","method":"notifications/cove/closed","params":{"end":"crashed"}}`,
			"", "notifications/cove/closed",
		},
		"a request of the server":           {`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`, "1", "roots/list"},
		"a request whose method comes last": {`{"jsonrpc":"2.0","id":1,"params":{},"method":"ping"}`, "1", "ping"},
		"nothing that is JSON":              {`{"jsonrpc`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if m := head([]byte(tc.raw)); string(m.ID) != tc.id || m.Method != tc.method {
				t.Errorf("id %.40s method %s", m.ID, m.Method)
			}
		})
	}
}
