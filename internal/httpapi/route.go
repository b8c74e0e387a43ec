package httpapi

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/input"
	"cove/internal/profile"
)

// route is one call of the API.
type route struct {
	method, path string
	handle       call.Handler
	// acts marks a GET that changes something or never ends. HEAD is refused for it.
	acts bool
	// limit is how many bytes the body may have, if more than maxBody.
	limit int64
	// query has the names that its query can hold. It has none for a call that reads none or checks them itself.
	query    input.Query
	segments []string
}

// prefixes are what the path of a call can begin with. Without one it is a call of Dolphin's cloud API.
var prefixes = []string{"/v1.0", "/api/v2"}

// find returns the route of a request. It never redirects, because clients of local APIs do not follow redirects.
func (s *Server) find(c *call.Call) (route, error) {
	path := c.URL.EscapedPath()
	for _, prefix := range prefixes {
		// A path that only begins like a prefix has none.
		if rest, ok := strings.CutPrefix(path, prefix); ok && (rest == "" || rest[0] == '/') {
			c.Prefix, path = prefix, rest
			break
		}
	}
	if len(path) > 1 {
		path = strings.TrimSuffix(path, "/")
	}
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for i := range parts {
		var err error
		if parts[i], err = url.PathUnescape(parts[i]); err != nil {
			return route{}, fault.Invalidf("The path of the URL is not valid.")
		}
	}
	var allowed []string
	var pattern string
	for _, r := range s.routes {
		if pattern != "" && r.path != pattern || !r.matches(parts) {
			continue
		}
		pattern = r.path
		allowed = append(allowed, r.method)
		if r.method == c.Method || c.Method == http.MethodHead && r.method == http.MethodGet && !r.acts {
			return r, r.readPath(c, parts)
		}
	}
	if pattern == "" {
		return route{}, fault.New(fault.CodeNoRoute, "There is no such API call.", "See the API reference at /docs.")
	}
	slices.Sort(allowed)
	c.W.Header().Set("Allow", strings.Join(allowed, ", "))
	return route{}, fault.New(fault.CodeMethod, "This call does not support "+c.Method+".",
		"Use "+strings.Join(allowed, " or ")+".")
}

// matches reports whether a path, in its parts, belongs to the route. {rest} at its end stands for one part or more.
func (r route) matches(parts []string) bool {
	last := len(r.segments) - 1
	if r.segments[last] == "{rest}" && len(parts) > len(r.segments) {
		parts = parts[:len(r.segments)]
	}
	if len(parts) != len(r.segments) {
		return false
	}
	for i, want := range r.segments {
		if want != parts[i] && !strings.HasPrefix(want, "{") {
			return false
		}
	}
	return true
}

// readPath reads the parameters of the path.
func (r route) readPath(c *call.Call, parts []string) (err error) {
	for i, want := range r.segments {
		switch want {
		case "{id}":
			if c.ID, err = profile.ParseID(parts[i]); err != nil {
				return fault.In("id", r.sayID(err, parts[i]))
			}
		case "{name}":
			c.Name = parts[i]
		}
	}
	return nil
}

// sayID words the refusal of an id. Most ids are those of profiles.
func (r route) sayID(err error, text string) error {
	if r.segments[0] == "browser_profiles" && r.segments[1] == "{id}" || r.segments[0] == "mcp" {
		return err
	}
	return fault.Invalidf("%q is not an id.", input.Clip(text)).WithHint("An id is a whole number such as 1.")
}
