package adspower

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cove/internal/fault"
	"cove/internal/httpapi/input"
	"cove/internal/profile"
	"cove/internal/proxy"
)

// proxyNames are the members of user_proxy_config that have an effect.
var proxyNames = []string{"proxy_soft", "proxy_type", "proxy_host", "proxy_port", "proxy_user", "proxy_username",
	"proxy_password", "proxy_url", "global_config"}

// exactNames are fields whose spaces count.
var exactNames = []string{"proxy_user", "proxy_username", "proxy_password", "user", "password"}

// readProxyConfig reads the description of a profile's proxy. The zero record means none.
func readProxyConfig(config map[string]json.RawMessage) (r proxy.Record, ignored []string, err error) {
	said := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(config)) {
		text, ok := scalar(config[name])
		if !slices.Contains(proxyNames, name) {
			if known := input.Meant(name, proxyNames); known != "" && !input.SaysNothing(config[name]) {
				return r, nil, fault.Unprocessablef(input.Clip(name), "A proxy has no field %q.", input.Clip(name)).
					WithHint("Did you mean " + known + "?")
			}
			ignored = append(ignored, "user_proxy_config."+name)
			continue
		}
		if !ok {
			return r, nil, fault.Unprocessablef(name, "The field %q must be a text.", name)
		}
		if said[name] = text; !slices.Contains(exactNames, name) {
			said[name] = strings.TrimSpace(text)
		}
	}
	if global := said["global_config"]; global != "" && global != "0" {
		return r, nil, fault.Unprocessablef("global_config", "Cove has no global proxy settings.").
			WithHint("Describe the proxy of this profile, or send its id in proxyid.")
	}
	switch soft := strings.ToLower(said["proxy_soft"]); soft {
	case "no_proxy", "noproxy":
		return r, ignored, nil
	case "other", "brightdata", "":
		r, err = describedProxy(said)
		return r, ignored, err
	default:
		return r, nil, fault.Unprocessablef("proxy_soft", "Cove cannot use proxies of %q.", input.Clip(soft)).
			WithHint("Use other with the host and the port of the proxy, or no_proxy.")
	}
}

// describedProxy reads a proxy that is described by its host and port.
func describedProxy(said map[string]string) (proxy.Record, error) {
	user := said["proxy_user"]
	if other := said["proxy_username"]; user == "" {
		user = other
	} else if other != "" && other != user {
		return proxy.Record{}, fault.Unprocessablef("proxy_username",
			"The fields proxy_user and proxy_username differ.").WithHint("Send one of them.")
	}
	for _, name := range []string{"proxy_type", "proxy_host", "proxy_port"} {
		if said[name] == "" {
			return proxy.Record{}, fault.Unprocessablef(name, "The proxy needs a %s.", name).
				WithHint(`Send proxy_type, proxy_host and proxy_port, or {"proxy_soft":"no_proxy"} for none.`)
		}
	}
	return newProxy(map[string]string{
		"type": said["proxy_type"], "host": said["proxy_host"], "port": said["proxy_port"], "user": user,
		"password": said["proxy_password"], "proxy_url": said["proxy_url"],
	})
}

// newProxy makes a proxy from texts.
func newProxy(said map[string]string) (proxy.Record, error) {
	port, err := strconv.Atoi(said["port"])
	if err != nil {
		return proxy.Record{}, fault.Unprocessablef("port", "The proxy port %q is not a port from 1 to 65535.",
			input.Clip(said["port"]))
	}
	r := proxy.Record{ChangeIPURL: said["proxy_url"], Proxy: proxy.Proxy{Type: said["type"], Host: said["host"],
		Port: port, Login: said["user"], Password: said["password"]}}
	return r, r.Clean()
}

// setLink sets the change-IP link of a profile's proxy. It does not replace a link that other profiles use, nor the
// link of a proxy that a profile with rules uses, unless the person made the change: granted. The answer names the
// field then, as one without effect.
func (s *Server) setLink(c *request, p profile.Profile, in *profileInput, granted bool) error {
	if in.proxy == nil || in.proxy.ID != 0 || in.proxy.ChangeIPURL == "" || p.ProxyID == 0 {
		return nil
	}
	_, err := s.Proxies.Update(c.Context(), p.ProxyID, func(r *proxy.Record) error {
		shared := r.ChangeIPURL != "" && r.Profiles > 1
		if r.ChangeIPURL != in.proxy.ChangeIPURL && (shared || r.Bound && !granted) {
			in.ignored = append(in.ignored, "user_proxy_config.proxy_url")
			return nil
		}
		r.ChangeIPURL = in.proxy.ChangeIPURL
		return nil
	})
	return err
}
