// Package peer knows the client on the other side of a call: who it says it is, and what it can be asked.
package peer

import (
	"cmp"
	"context"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cove/internal/mcpserver/redaction"
	"cove/internal/policy"
	"cove/internal/wording"
)

// StatelessVersion is the first version of the protocol whose requests stand alone. Its clients accept no requests of
// ours: a question is in the answer to a call, and the client calls again with the reply.
const StatelessVersion = "2026-07-28"

// Peer is the client on the other side of a call, as far as it can be asked something.
type Peer struct {
	Session *mcp.ServerSession
	Replies mcp.InputResponseMap // replies to the questions in an earlier answer to the same call
}

// InputRequired is the error of a call that can go on only when the client has replied.
type InputRequired struct{ Requests mcp.InputRequestMap }

// Error says what the call waits for.
func (*InputRequired) Error() string { return "the client has to answer first" }

// IsStateless reports whether the client speaks StatelessVersion or later.
func (p *Peer) IsStateless() bool {
	params := p.Session.InitializeParams()
	return params != nil && params.ProtocolVersion >= StatelessVersion
}

// CanElicit reports whether the client can put a question to its person.
func (p *Peer) CanElicit() bool { return p.Elicitation() != nil }

// Elicitation returns how the client can put questions to its person; nil for not at all.
func (p *Peer) Elicitation() *mcp.ElicitationCapabilities {
	if p.Session == nil {
		return nil
	}
	params := p.Session.InitializeParams()
	if params == nil || params.Capabilities == nil {
		return nil
	}
	return params.Capabilities.Elicitation
}

// YesOrNo is a question without a form.
func YesOrNo(message string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: message,
		RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}}}
}

// Elicit puts a question to the client's person. Its error is InputRequired, or there is none: a client that fails has
// not accepted. The key names the question in the replies of a stateless client.
func (p *Peer) Elicit(ctx context.Context, key, message string) (accepted bool, err error) {
	var r *mcp.ElicitResult
	if p.IsStateless() {
		reply, found := p.Replies[key]
		if !found {
			return false, &InputRequired{mcp.InputRequestMap{key: YesOrNo(message)}}
		}
		r, _ = reply.(*mcp.ElicitResult)
	} else {
		r, _ = p.Session.Elicit(ctx, YesOrNo(message))
	}
	return r != nil && r.Action == "accept", nil
}

// Roots returns the folders that the client names, if it can.
func (p *Peer) Roots(ctx context.Context) ([]string, error) {
	found := []string{}
	if p.Session == nil {
		return found, nil
	}
	params := p.Session.InitializeParams()
	//nolint:staticcheck // deprecated, and what clients have
	if params == nil || params.Capabilities == nil || params.Capabilities.RootsV2 == nil {
		return found, nil
	}

	var r *mcp.ListRootsResult //nolint:staticcheck // the same
	if p.IsStateless() {
		reply, replied := p.Replies["roots"]
		if !replied {
			//nolint:staticcheck // the same
			return nil, &InputRequired{mcp.InputRequestMap{"roots": &mcp.ListRootsParams{}}}
		}
		r, _ = reply.(*mcp.ListRootsResult) //nolint:staticcheck // the same
	} else {
		r, _ = p.Session.ListRoots(ctx, nil) //nolint:staticcheck // the same
	}
	if r == nil {
		return found, nil
	}

	for _, root := range r.Roots {
		if u, err := url.Parse(root.URI); err == nil && u.Scheme == "file" {
			found = append(found, filePath(u))
		}
	}
	return found, nil
}

func filePath(u *url.URL) string {
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	return filepath.FromSlash(path)
}

// NameOf returns what the client of a session calls itself.
func NameOf(session *mcp.ServerSession) string {
	if session == nil {
		return ""
	}
	p := session.InitializeParams()
	if p == nil || p.ClientInfo == nil {
		return ""
	}
	return wording.Shorten(strings.TrimSpace(cmp.Or(p.ClientInfo.Title, p.ClientInfo.Name)), 60)
}

// AgentOf returns who the sender of a request says it is.
func AgentOf(req mcp.Request) policy.Agent {
	a := policy.Agent{Kind: policy.Tools, Name: "a client without a name"}
	if info := infoOf(req); info != nil && info.Name != "" {
		a.Name = wording.Shorten(redaction.URLText(info.Name), 100)
		a.Version = wording.Shorten(redaction.URLText(info.Version), 50)
	}
	return a
}

func infoOf(req mcp.Request) *mcp.Implementation {
	if p, ok := req.GetParams().(*mcp.InitializeParams); ok {
		return p.ClientInfo // the session does not know it yet
	}
	if r, ok := req.(interface{ ClientInfo() *mcp.Implementation }); ok {
		return r.ClientInfo()
	}
	return nil
}
