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
	// query has the names that its query can hold. It has none for a call that reads none or checks them itself.
	query    input.Query
	segments []string
}

// find returns the route of a request. It never redirects, because clients of local APIs do not follow redirects.
func (s *Server) find(c *call.Call) (route, error) {
	escaped := c.URL.EscapedPath()
	path, versioned := strings.CutPrefix(escaped, "/v1.0")
	if versioned && path != "" && path[0] != '/' {
		path = escaped // it only begins like the version
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

// matches reports whether a path, in its parts, belongs to the route.
func (r route) matches(parts []string) bool {
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
				return fault.In("id", err)
			}
		case "{name}":
			c.Name = parts[i]
		}
	}
	return nil
}
