package adspower

import (
	"strconv"
	"strings"
	"time"

	"cove/internal/profile"
	"cove/internal/proxy"
)

// item is a profile in a list. Both generations of names are there; ids and times are texts.
type item struct {
	UserID       string `json:"user_id"`
	ProfileID    string `json:"profile_id"`
	SerialNumber string `json:"serial_number"`
	ProfileNo    string `json:"profile_no"`
	Name         string `json:"name"`
	GroupID      string `json:"group_id"`
	GroupName    string `json:"group_name"`
	DomainName   string `json:"domain_name"`
	Platform     string `json:"platform"`
	Username     string `json:"username"`
	Password     string `json:"password"`
	Fakey        string `json:"fakey"`
	Remark       string `json:"remark"`
	Created      string `json:"created_time"`
	LastOpened   string `json:"last_open_time"`
	IP           string `json:"ip"`
	Country      string `json:"ip_country"`
	IPChecker    string `json:"ipchecker"`
	Application  string `json:"sys_app_cate_id"`
	Proxy        string `json:"fbcc_proxy_acc_id"`
	ProxyConfig  any    `json:"user_proxy_config"`
}

// proxyConfig is the proxy of a profile.
type proxyConfig struct {
	noProxyConfig
	Type     string `json:"proxy_type"`
	Host     string `json:"proxy_host"`
	Port     string `json:"proxy_port"`
	User     string `json:"proxy_user"`
	Password string `json:"proxy_password"`
	URL      string `json:"proxy_url"`
}

// noProxyConfig is the proxy of a profile that has none.
type noProxyConfig struct {
	Soft string `json:"proxy_soft"`
}

// items shows profiles. It reads their proxies once for all of them.
func (s *Server) items(c *request, ps []profile.Profile, noProxy string) ([]item, error) {
	var ids []proxy.ID
	for _, p := range ps {
		if p.ProxyID != 0 {
			ids = append(ids, p.ProxyID)
		}
	}
	records := map[proxy.ID]proxy.Record{}
	if len(ids) > 0 {
		found, err := s.Proxies.List(c.Context(), proxy.Query{IDs: ids, Page: 1, PerPage: len(ids)})
		if err != nil {
			return nil, err
		}
		for _, r := range found.Proxies {
			records[r.ID] = r
		}
	}

	out := make([]item, len(ps))
	for i, p := range ps {
		out[i] = show(p, records[p.ProxyID], noProxy)
	}
	return out, nil
}

func show(p profile.Profile, r proxy.Record, noProxy string) item {
	id, domain := p.ID.String(), domainOf(p)
	out := item{
		UserID: id, ProfileID: id, SerialNumber: id, ProfileNo: id, Name: p.Name, Remark: p.Notes,
		GroupID: strconv.Itoa(int(p.FolderID)), GroupName: p.Folder, DomainName: domain, Platform: domain,
		Created: seconds(p.Created), LastOpened: seconds(p.Opened), Application: "0", Proxy: noProxy,
		ProxyConfig: noProxyConfig{"no_proxy"},
	}
	if p.ProxyID == 0 {
		return out
	}
	out.Proxy, out.IP, out.Country = strconv.Itoa(int(p.ProxyID)), r.LastCheck.IP, strings.ToLower(r.LastCheck.Country)
	out.ProxyConfig = proxyConfig{noProxyConfig: noProxyConfig{"other"}, Type: p.Proxy.Type, Host: p.Proxy.Host,
		Port: strconv.Itoa(p.Proxy.Port), User: p.Proxy.Login, Password: p.Proxy.Password, URL: r.ChangeIPURL}
	return out
}

// seconds is a moment as AdsPower writes it; "0" for never.
func seconds(t time.Time) string {
	if t.IsZero() {
		return "0"
	}
	return strconv.FormatInt(t.Unix(), 10)
}

// domainOf is the first start page of a profile, as a platform is written: without its scheme if nothing but a host
// follows.
func domainOf(p profile.Profile) string {
	if len(p.StartPages) == 0 {
		return ""
	}
	first := p.StartPages[0]
	if host, ok := strings.CutPrefix(strings.TrimSuffix(first, "/"), "https://"); ok && !strings.Contains(host, "/") {
		return host
	}
	return first
}
