package mcpserver

import (
	"cmp"
	"context"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cove/internal/policy"
	"cove/internal/wording"
)

// statelessVersion is the first version of the protocol whose requests stand alone. Its clients accept no requests of
// ours: a question is in the answer to a call, and the client calls again with the reply.
const statelessVersion = "2026-07-28"

// peer is the client on the other side of a call, as far as it can be asked something.
type peer struct {
	session *mcp.ServerSession
	replies mcp.InputResponseMap // replies to the questions in an earlier answer to the same call
}

// inputRequired is the error of a call that can go on only when the client has replied.
type inputRequired struct{ requests mcp.InputRequestMap }

func (*inputRequired) Error() string { return "the client has to answer first" }

// isStateless reports whether the client speaks statelessVersion or later.
func (p *peer) isStateless() bool {
	params := p.session.InitializeParams()
	return params != nil && params.ProtocolVersion >= statelessVersion
}

// canElicit reports whether the client can put a question to its person.
func (p *peer) canElicit() bool { return p.elicitation() != nil }

// elicitation returns how the client can put questions to its person; nil for not at all.
func (p *peer) elicitation() *mcp.ElicitationCapabilities {
	if p.session == nil {
		return nil
	}
	params := p.session.InitializeParams()
	if params == nil || params.Capabilities == nil {
		return nil
	}
	return params.Capabilities.Elicitation
}

// yesOrNo is a question without a form.
func yesOrNo(message string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: message,
		RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}}}
}

// elicit puts a question to the client's person. Its error is inputRequired, or there is none: a client that fails has
// not accepted. The key names the question in the replies of a stateless client.
func (p *peer) elicit(ctx context.Context, key, message string) (accepted bool, err error) {
	var r *mcp.ElicitResult
	if p.isStateless() {
		reply, found := p.replies[key]
		if !found {
			return false, &inputRequired{mcp.InputRequestMap{key: yesOrNo(message)}}
		}
		r, _ = reply.(*mcp.ElicitResult)
	} else {
		r, _ = p.session.Elicit(ctx, yesOrNo(message))
	}
	return r != nil && r.Action == "accept", nil
}

// roots returns the folders that the client names, if it can.
func (p *peer) roots(ctx context.Context) ([]string, error) {
	found := []string{}
	if p.session == nil {
		return found, nil
	}
	params := p.session.InitializeParams()
	//nolint:staticcheck // deprecated, and what clients have
	if params == nil || params.Capabilities == nil || params.Capabilities.RootsV2 == nil {
		return found, nil
	}

	var r *mcp.ListRootsResult //nolint:staticcheck // the same
	if p.isStateless() {
		reply, replied := p.replies["roots"]
		if !replied {
			//nolint:staticcheck // the same
			return nil, &inputRequired{mcp.InputRequestMap{"roots": &mcp.ListRootsParams{}}}
		}
		r, _ = reply.(*mcp.ListRootsResult) //nolint:staticcheck // the same
	} else {
		r, _ = p.session.ListRoots(ctx, nil) //nolint:staticcheck // the same
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

// nameOf returns what the client of a session calls itself.
func nameOf(session *mcp.ServerSession) string {
	if session == nil {
		return ""
	}
	p := session.InitializeParams()
	if p == nil || p.ClientInfo == nil {
		return ""
	}
	return wording.Shorten(strings.TrimSpace(cmp.Or(p.ClientInfo.Title, p.ClientInfo.Name)), 60)
}

// agentOf returns who the sender of a request says it is.
func agentOf(req mcp.Request) policy.Agent {
	a := policy.Agent{Kind: policy.Tools, Name: "a client without a name"}
	if info := infoOf(req); info != nil && info.Name != "" {
		a.Name, a.Version = wording.Shorten(URLText(info.Name), 100), wording.Shorten(URLText(info.Version), 50)
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
