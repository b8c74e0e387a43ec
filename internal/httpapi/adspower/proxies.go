package adspower

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/input"
	"cove/internal/httpapi/permit"
	"cove/internal/profile"
	"cove/internal/proxy"
)

// storedProxy is a stored proxy in a list.
type storedProxy struct {
	ID        string   `json:"proxy_id"`
	Type      string   `json:"type"`
	Host      string   `json:"host"`
	Port      string   `json:"port"`
	User      string   `json:"user"`
	Password  string   `json:"password"`
	URL       string   `json:"proxy_url"`
	Remark    string   `json:"remark"`
	IPChecker string   `json:"ipchecker"`
	Count     string   `json:"profile_count"`
	Profiles  []string `json:"related_profile_no"`
}

// storedNames are the fields of a stored proxy that have an effect.
var storedNames = []string{"type", "host", "port", "user", "password", "proxy_url", "remark"}

// proxyIDs reads the proxies that a call names.
func (c *request) proxyIDs() ([]proxy.ID, error) {
	texts, err := c.list("proxy_id", true)
	if err != nil {
		return nil, err
	}
	ids, err := parseIDs("proxy_id", texts)
	if err != nil {
		return nil, fault.Fieldf("proxy_id", "The field proxy_id must hold ids of proxies.").
			WithHint("/api/v2/proxy-list/list lists the proxies.")
	}
	out := make([]proxy.ID, len(ids))
	for i, id := range ids {
		out[i] = proxy.ID(id)
	}
	return out, nil
}

// listProxies lists the stored proxies, the newest first.
func (s *Server) listProxies(c *request) (answer, error) {
	if err := c.onlyFields([]string{"proxy_id", "page", "limit", "page_size"}); err != nil {
		return answer{}, err
	}
	q := proxy.Query{Desc: true}
	var err error
	if q.Page, q.PerPage, err = c.paging(50); err != nil {
		return answer{}, err
	}
	if q.IDs, err = c.proxyIDs(); err != nil {
		return answer{}, err
	}
	found, err := s.Proxies.List(c.Context(), q)
	if err != nil {
		return answer{}, err
	}
	ids := make([]proxy.ID, len(found.Proxies))
	for i, r := range found.Proxies {
		ids[i] = r.ID
	}
	users, err := permit.UsersOf(c.Context(), s.Profiles, ids...)
	if err != nil {
		return answer{}, err
	}

	list := make([]storedProxy, len(found.Proxies))
	for i, r := range found.Proxies {
		list[i] = storedProxy{ID: strconv.Itoa(int(r.ID)), Type: r.Type, Host: r.Host, Port: strconv.Itoa(r.Port),
			User: r.Login, Password: r.Password, URL: r.ChangeIPURL, Remark: r.Name, Count: strconv.Itoa(r.Profiles),
			Profiles: []string{}}
		for _, id := range users[r.ID] {
			list[i].Profiles = append(list[i].Profiles, id.String())
		}
	}
	return answer{data: page{list, q.Page, q.PerPage}}, nil
}

// each calls use with every profile that a query selects.
func (s *Server) each(c *request, q profile.Query, use func(profile.Profile) error) error {
	return profile.Each(c.Context(), s.Profiles, q, use)
}

// createProxies stores proxies, all of them or none. The body is a list of them.
func (s *Server) createProxies(c *request) (answer, error) {
	items := c.items
	if items == nil && len(c.fields) > 0 { // one alone
		raw, err := json.Marshal(c.fields)
		if err != nil {
			return answer{}, err
		}
		items = []json.RawMessage{raw}
	}
	if len(items) == 0 || len(items) > api.MaxMass {
		return answer{}, fault.Invalidf("You can store 1 to %d proxies at a time.", api.MaxMass).
			WithHint(`Send a list, such as [{"type":"http","host":"proxy.example","port":"8080"}].`)
	}
	records := make([]proxy.Record, len(items))
	var ignored []string
	for i, raw := range items {
		item := &request{fields: map[string]json.RawMessage{}}
		err := item.add(raw)
		if err == nil {
			var more []string
			records[i], more, err = item.readStored(proxy.Record{Saved: true}, true)
			ignored = append(ignored, more...)
		}
		if err != nil {
			f := fault.From(err)
			return answer{}, fault.New(f.Code, fmt.Sprintf("Proxy %d of %d: %s", i+1, len(items), f.Text), f.Hint)
		}
	}
	made, err := s.Proxies.Create(c.Context(), records...)
	if err != nil {
		return answer{}, err
	}

	ids := make([]string, len(made))
	for i, r := range made {
		ids[i] = strconv.Itoa(int(r.ID))
	}
	return answer{map[string]any{"proxy_id": ids}, input.Sorted(ignored)}, nil
}

// readStored reads what a request says of a stored proxy into r. whole says that it must say everything.
func (c *request) readStored(r proxy.Record, whole bool) (proxy.Record, []string, error) {
	said := map[string]string{"type": r.Type, "host": r.Host, "port": strconv.Itoa(r.Port), "user": r.Login,
		"password": r.Password, "proxy_url": r.ChangeIPURL, "remark": r.Name}
	if whole {
		said = map[string]string{}
	}
	var ignored []string
	for _, name := range slices.Sorted(maps.Keys(c.fields)) {
		if name == "proxy_id" {
			continue
		}
		if !slices.Contains(storedNames, name) {
			if known := input.Meant(name, storedNames); known != "" && c.says(name) {
				return r, nil, fault.Unprocessablef(input.Clip(name), "A proxy has no field %q.", input.Clip(name)).
					WithHint("Did you mean " + known + "?")
			}
			ignored = append(ignored, name)
			continue
		}
		text, err := c.text(name)
		if err != nil {
			return r, nil, err
		}
		if said[name] = text; !slices.Contains(exactNames, name) {
			said[name] = strings.TrimSpace(text)
		}
	}
	next, err := newProxy(said)
	if err != nil {
		return r, nil, err
	}
	r.Proxy, r.ChangeIPURL, r.Name = next.Proxy, next.ChangeIPURL, said["remark"]
	return r, ignored, r.Clean()
}

// updateProxy changes a stored proxy. What is not sent stays as it is.
func (s *Server) updateProxy(c *request) (answer, error) {
	ids, err := c.proxyIDs()
	if err != nil {
		return answer{}, err
	}
	if len(ids) != 1 {
		return answer{}, fault.Fieldf("proxy_id", "This call needs the id of one proxy.").WithHint("Send proxy_id.")
	}
	var ignored []string
	r, err := permit.EditProxy(c.Call, s.Proxies, ids[0], func(r *proxy.Record) (err error) {
		*r, ignored, err = c.readStored(*r, false)
		return err
	})
	if err != nil {
		return answer{}, err
	}
	users, err := permit.UsersOf(c.Context(), s.Profiles, r.ID)
	if err != nil {
		return answer{}, err
	}
	s.publish(users[r.ID]...)
	return answer{map[string]string{"proxy_id": strconv.Itoa(int(r.ID))}, input.Sorted(ignored)}, nil
}

// deleteProxies deletes stored proxies, all of them or none, and none that a profile uses.
func (s *Server) deleteProxies(c *request) (answer, error) {
	ids, err := c.proxyIDs()
	if err != nil {
		return answer{}, err
	}
	if len(ids) == 0 || len(ids) > api.MaxMass {
		return answer{}, fault.Fieldf("proxy_id", "You can delete 1 to %d proxies at a time.", api.MaxMass).
			WithHint(`Send {"proxy_id":["1","2"]}.`)
	}
	return answer{data: empty{}}, s.Proxies.Delete(c.Context(), ids...)
}
