package importer

import (
	"fmt"
	"strings"
	"testing"
)

func TestATableNeverLosesAProxy(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"ip and port":              {"name,ip,port,login,password\nA,198.51.100.1,80,u,hunter2\n", `The column "port" may be about a proxy`},
		"server and port":          {"name,server,port\nA,h.example,80\n", `The column "server" may be about a proxy`},
		"a host alone":             {"name,Host\nA,h.example\n", `The column "Host" may be about a proxy`},
		"an address":               {"name,address\nA,h.example\n", `The column "address" may be about a proxy`},
		"a column for a type":      {"name,socks5\nA,h.example\n", `The column "socks5" may be about a proxy`},
		"host and port in one":     {"name,host:port\nA,h.example:80\n", `The column "host:port" may be about a proxy`},
		"a proxy in any column":    {"name,via\nA,h.example:80:u:hunter2\n", `The column "via" may be about a proxy`},
		"two readings":             {"name,via\nA,192.0.2.1:80:192.0.2.2:90\n", `The column "via" may be about a proxy`},
		"a proxy without brackets": {"name,via\nA,socks5://u:hunter2@2001:db8::1:80\n", `The column "via" may be about a proxy`},
		"a type in any column":     {"name,protocol\nA,SOCKS5\n", `The column "protocol" may be about a proxy`},
		"ssh in any column":        {"name,via\nA,ssh://u:hunter2@h.example:22\n", `The column "via" may be about a proxy`},
		"a title around a word":    {"name,my proxy host\nA,h.example\n", `The column "my proxy host" is about a proxy`},
		"a page with a login":      {"name,url\nA,http://u:hunter2@h.example:80\n", `The column "url" may be about a proxy`},
		"none and a host":          {"name,proxy type,proxy host,proxy port\nA,none,198.51.100.1,80\n", "says that it has no proxy, and names one"},
		"none and a text":          {"name,proxy type,proxy\nA,noproxy,h.example:80\n", "says that it has no proxy, and names one"},
		"none and an id":           {"name,proxy type,proxyid\nA,none,7\n", "says that it has no proxy, and names one"},
		"none as a text":           {"name,proxy,proxy port\nA,none,80\n", "says that it has no proxy, and names one"},
		"none beside a type":       {"name,proxy type,proxy\nA,socks5,none\n", "says that it has no proxy, and names one"},
		"a type alone":             {"name,proxy type\nA,socks5\n", "The proxy has no host"},
		"ssh alone":                {"name,proxy type\nA,ssh\n", "The proxy has no host"},
		"a name alone":             {"name,proxy name\nA,DE 1\n", "The proxy has no host"},
		"another password":         {"name,proxy,proxy password\nA,1.2.3.4:80:u:HUNTER2x,hunter2X\n", "names two proxies"},
		"another login":            {"name,proxy,proxy login\nA,1.2.3.4:80:User:p,user\n", "names two proxies"},
		"a port that ends alike":   {"name,proxy,proxy port\nA,1.2.3.4:8080,080\n", "names two proxies"},
	} {
		t.Run(name, func(t *testing.T) {
			p := read(CSV, "l.csv", c.text)
			text := fmt.Sprintln(p.Problems)
			if len(p.Problems) != 1 || !strings.HasPrefix(text, "[l.csv, line 2: ") || !strings.Contains(text, c.want) {
				t.Fatalf("got %s, profiles %+v", text, p.Profiles)
			}
			if hint := p.Problems[0].Hint; hint == "" || strings.Contains(strings.ToLower(text+hint), "hunter2") {
				t.Errorf("got %s, hint %s", text, hint)
			}
		})
	}
}

func TestOtherColumnsOfATableAreNoProxies(t *testing.T) {
	for product, text := range map[Product]string{
		CSV: "name,server,port,proxy host,ip,email,ua,site login,proxy name,created,phone,proxy,url\n" +
			"A,,,,198.51.100.1,me@mail.example:1234,Mozilla/5.0 (X11),me:secret,,2024-01-01 12:30,none,,http://localhost:8080/x\n",
		// AdsPower keeps the host of a proxy that is switched off.
		AdsPower: "acc_id,name,proxytype,proxy,proxyid,ip\nk1,A,noproxy,h.example:1,0,198.51.100.1\n",
	} {
		if p := works(t, product, "l.csv", text); len(p.Profiles) != 1 || p.Profiles[0].Proxy.Set() {
			t.Errorf("%s: got %+v", product, p.Profiles)
		}
	}
	p := works(t, CSV, "l.csv", "name,proxy,proxy host,proxy name\nA,H.example:1:u:P,h.EXAMPLE,DE 1\n")
	if p.Profiles[0].Proxy.Password != "P" {
		t.Errorf("got %+v", p.Profiles[0])
	}
}

func TestAProxyOfATableAgreesWithTheListOfProxies(t *testing.T) {
	const list = `[{"id":7,"type":"socks5","host":"h.example","port":1}]`
	for _, text := range []string{"name,proxyid\nA,7\n", "name,proxyid,proxy type\nA,7,socks5\n",
		"name,proxyid,proxy\nA,7,socks5://h.example:1\n"} {
		if p := works(t, Dolphin, "l.csv", text, "p.json", list); p.Profiles[0].Proxy.Host != "h.example" {
			t.Errorf("%q: got %+v", text, p.Profiles)
		}
	}
	for _, text := range []string{"name,proxyid,proxy type\nA,7,http\n", "name,proxyid,proxy\nA,7,socks5://i.example:1\n",
		"name,proxyid,proxy port\nA,7,80\n"} {
		if p := read(Dolphin, "l.csv", text, "p.json", list); len(p.Problems) != 1 {
			t.Errorf("%q: got %+v", text, p.Profiles)
		}
	}
}
