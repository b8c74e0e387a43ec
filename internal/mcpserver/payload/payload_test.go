package payload

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// stream is a client's side of a connection.
type stream struct{ bytes.Buffer }

func (*stream) Close() error { return nil }

func TestPayloadsAreAttachedToTheirMessages(t *testing.T) {
	var out stream
	p := NewStream(&out)
	message := func(r *mcp.CallToolResult) []byte {
		raw, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return append(raw, '\n')
	}
	same := func(a, b []byte) bool {
		var x, y any
		return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y) &&
			bytes.Count(a, []byte("\n")) == 1
	}
	text := func(s string) mcp.Content { return &mcp.TextContent{Text: s} }
	image := func(s string) mcp.Content { return &mcp.ImageContent{Data: []byte(s), MIMEType: "image/png"} }
	long := strings.Repeat("\"quoted\" \\ <b>\n\t\x00\u2028\u2029 Ünï 😀 \xff", 300)
	for name, content := range map[string][]mcp.Content{
		"nothing":        {},
		"a short text":   {text("before")},
		"a long text":    {text(long)},
		"an image":       {text("before"), image(strings.Repeat("\x00\xff", 1000))},
		"an empty image": {image("")},
		"all of it": {text(long), image("first"), text("between"), image("second"),
			text(strings.Repeat("x", longText))},
		"what is no mark": {text(base64.StdEncoding.EncodeToString(make([]byte, 24)))},
	} {
		out.Reset()
		r := &mcp.CallToolResult{Content: content}
		want := message(r)
		p.Detach(r)
		sent := message(r)
		n, err := p.Write(sent)
		if err != nil || n != len(sent) || !same(out.Bytes(), want) {
			t.Errorf("%s: %d %v, %.300s instead of %.300s", name, n, err, out.String(), want)
		}
		if len(sent) > 5*longText/4 {
			t.Errorf("%s: the library gets %d bytes", name, len(sent))
		}
	}
	if len(p.detached) != 0 || len(p.marks) != 0 {
		t.Errorf("%d are still detached", len(p.detached))
	}
	for range 3 * maxDetached {
		p.Detach(&mcp.CallToolResult{Content: []mcp.Content{image("of a call that was cancelled")}})
	}
	stored := &mcp.CallToolResult{Content: []mcp.Content{image("stored")}}
	want := message(stored)
	p.Detach(stored)
	out.Reset()
	if _, err := p.Write(message(stored)); err != nil || !same(out.Bytes(), want) || len(p.detached) >= maxDetached {
		t.Errorf("%d are detached: %s", len(p.detached), out.String())
	}
}
