package scope

import (
	"encoding/json"
	"strings"
	"sync"

	"cove/internal/gate/method"
)

// beyond are commands of a page that reach beyond it. Policies allow them elsewhere. They are about the whole profile,
// or about the process that shows the page and others of the same site. A domain alone stands for all of its commands.
// Commands that no policy lists are refused, too.
const beyond = `
CacheStorage
Debugger
HeapProfiler enable getHeapObjectId getObjectByHeapObjectId getSamplingProfile startSampling startTrackingHeapObjects
  stopSampling stopTrackingHeapObjects takeHeapSnapshot
Emulation setCPUThrottlingRate setLocaleOverride setTimezoneOverride
Memory
Network clearBrowserCache clearBrowserCookies getAllCookies loadNetworkResource
Page captureSnapshot setFontFamilies setFontSizes
Profiler
Runtime terminateExecution
ServiceWorker
Storage clearCookies clearDataForOrigin clearDataForStorageKey getCookies getSharedStorageEntries
  getSharedStorageMetadata setCookies
Tracing`

// quiet are commands of that list that clients send for every page. Browser answers them, and does nothing.
const quiet = `
Debugger disable
HeapProfiler disable
Profiler disable
ServiceWorker disable enable
Page bringToFront setDownloadBehavior`

// early are the commands that a frame allows before it has loaded anything. Any other command would take effect in
// whatever the frame loads.
const early = `
Emulation
Fetch
Network emulateNetworkConditions emulateNetworkConditionsByRule overrideNetworkState setAttachDebugStack setBlockedURLs
  setBypassServiceWorker setCacheDisabled setExtraHTTPHeaders setUserAgentOverride
Page addScriptToEvaluateOnNewDocument createIsolatedWorld getFrameTree removeScriptToEvaluateOnNewDocument setBypassCSP
  setInterceptFileChooserDialog setLifecycleEventsEnabled
Runtime addBinding discardConsoleEntries removeBinding runIfWaitingForDebugger
Target setAutoAttach`

// lists returns the lists above, and all commands that policies know.
var lists = sync.OnceValue(func() (l struct{ known, beyond, quiet, early map[string]bool }) {
	l.known, l.beyond, l.quiet, l.early = map[string]bool{}, listed(beyond), listed(quiet), listed(early)
	for name := range method.Rules() {
		l.known[name] = true
	}
	return l
})

func listed(list string) map[string]bool {
	all := map[string]bool{}
	domain := ""
	for row := range strings.Lines(list) {
		words := strings.Fields(row)
		if len(words) > 0 && !strings.HasPrefix(row, " ") {
			domain, words = words[0], words[1:]
			if len(words) == 0 {
				all[domain] = true
			}
		}
		for _, name := range words {
			all[domain+"."+name] = true
		}
	}
	return all
}

// judgePage judges a command for a page.
func (b *Browser) judgePage(s *session, c command) verdict {
	t := b.tabs.byID[s.tab]
	if t == nil || !t.shown {
		return refuseAs(errHidden)
	}
	domain, verb, _ := strings.Cut(c.method, ".")
	rules := lists()
	switch {
	case rules.quiet[c.method]:
		return done()
	case rules.beyond[domain] || rules.beyond[c.method] || !rules.known[c.method]:
		return refuse(c.method + " is not available in a browser that a person shares: " +
			"it reaches beyond the shared tabs.")
	case b.frames.isEmpty(s):
		if verb != "enable" && verb != "disable" && !rules.early[domain] && !rules.early[c.method] {
			return refuse("This frame has not loaded yet. Wait for it, and try again.")
		}
	case b.frames.closes(s):
		return refuse("This frame is closed to agents: " +
			"it is a part of the browser, of an extension, or of a site that the profile's rules close.")
	}
	if v := s.judgeContexts(c); v.failed != nil {
		return v
	}
	switch c.method {
	case "Runtime.enable":
		s.scripts = true
	case "Runtime.disable":
		s.scripts = false
	}
	if check := checks()[c.method]; check != nil {
		if v := check(b, s, t, c); !v.pass || v.params != nil || v.edit != nil {
			return v
		}
	}
	if id := c.text("requestId"); domain == "Network" && s.requests.isTainted(id) {
		return refuse("No resource with given identifier found")
	}
	return b.judgeNodes(s, c)
}

// check judges a command whose parameters decide.
type check func(b *Browser, s *session, t *tab, c command) verdict

// checks returns the check of each command that has one.
var checks = sync.OnceValue(func() map[string]check {
	return map[string]check{
		"Page.navigate":                         checkNavigate,
		"Page.navigateToHistoryEntry":           checkHistory,
		"Page.addScriptToEvaluateOnNewDocument": checkNewDocument,
		"Page.reload":                           checkReload,
		"Page.getNavigationHistory":             editHistory,
		"Page.getResourceContent":               checkFrame,
		"Page.searchInResource":                 checkFrame,
		"Page.setDocumentContent":               checkFrame,
		"DOMDebugger.getEventListeners":         editListeners,
		"Input.setIgnoreInputEvents":            checkIgnore,
		"Fetch.continueRequest":                 checkPaused,
		"Fetch.continueResponse":                checkPaused,
		"Fetch.continueWithAuth":                checkPaused,
		"Fetch.failRequest":                     checkPaused,
		"Fetch.fulfillRequest":                  checkPaused,
		"Fetch.getResponseBody":                 checkPaused,
		"Fetch.takeResponseBodyAsStream":        checkPaused,
		"Page.close":                            checkClose,
		"Page.setWebLifecycleState":             checkLifecycle,
		"Page.captureScreenshot":                checkScreenshot,
		"Page.createIsolatedWorld":              checkIsolatedWorld,
		"Target.setAutoAttach":                  checkAutoAttach,
		"Runtime.runIfWaitingForDebugger":       checkResumed,
		"Network.getCookies":                    checkCookieAddresses,
		"Network.setCookie":                     checkCookie,
		"Network.setCookies":                    checkCookies,
		"Network.deleteCookies":                 checkCookie,
		"Storage.getUsageAndQuota":              checkOrigin,
		"DOMStorage.clear":                      checkStorageID,
		"DOMStorage.getDOMStorageItems":         checkStorageID,
		"DOMStorage.removeDOMStorageItem":       checkStorageID,
		"DOMStorage.setDOMStorageItem":          checkStorageID,
		"IndexedDB.clearObjectStore":            checkOrigin,
		"IndexedDB.deleteDatabase":              checkOrigin,
		"IndexedDB.deleteObjectStoreEntries":    checkOrigin,
		"IndexedDB.getMetadata":                 checkOrigin,
		"IndexedDB.requestData":                 checkOrigin,
		"IndexedDB.requestDatabase":             checkOrigin,
		"IndexedDB.requestDatabaseNames":        checkOrigin,
	}
})

func checkNavigate(b *Browser, _ *session, _ *tab, c command) verdict {
	switch address := c.text("url"); {
	case !isWeb(address) || address == "":
		return refuse("Agents open only web pages in a browser that a person shares. " +
			"Use an address that begins with https:// or http://.")
	case !b.tabs.sites.Permits(address):
		return refuse("This address is closed to agents: " +
			"by the profile's rules for sites, or because it is Cove's own.")
	}
	return pass()
}

// checkHistory refuses an entry of the history that is closed to agents: the tab may have shown the browser's settings
// before.
func checkHistory(b *Browser, _ *session, _ *tab, c command) verdict {
	entry, ok := c.number("entryId")
	if !ok { // the browser also takes a number that is written in another way
		return refuse("entryId is not a whole number. Take it from Page.getNavigationHistory.")
	}
	return verdict{later: func() verdict {
		h, err := b.calls.history(c.at)
		if err != nil {
			return refuse("The history of the tab cannot be read: " + err.Error() + ".")
		}
		for _, e := range h.Entries {
			if e.ID == entry && !b.isOpen(e.URL) {
				return refuse("That entry of the history is closed to agents: it is no web page, or a site that the " +
					"profile's rules close.")
			}
		}
		return pass()
	}}
}

// editHistory removes the addresses and titles that are closed to agents from the history of a tab.
func editHistory(b *Browser, _ *session, _ *tab, _ command) verdict {
	return verdict{pass: true, edit: func(result any) any {
		r, _ := result.(object)
		entries, _ := r["entries"].([]any)
		for _, one := range entries {
			e, _ := one.(object)
			if address, _ := e["url"].(string); e != nil && !b.isOpen(address) {
				e["url"], e["userTypedURL"], e["title"] = "", "", ""
			}
		}
		return result
	}}
}

// editListeners removes the functions of listeners from an answer that includes other frames. The browser would also
// return functions of extensions, and say that they belong to the page.
func editListeners(_ *Browser, _ *session, _ *tab, c command) verdict {
	if !c.has("pierce") {
		return pass()
	}
	return verdict{pass: true, edit: func(result any) any {
		r, _ := result.(object)
		listeners, _ := r["listeners"].([]any)
		for _, one := range listeners {
			if l, ok := one.(object); ok {
				delete(l, "handler")
				delete(l, "originalHandler")
			}
		}
		return result
	}}
}

// checkIgnore refuses to block the input of the person in a tab of theirs.
func checkIgnore(_ *Browser, _ *session, t *tab, c command) verdict {
	if !t.own && c.flag("ignore") {
		return refuse("The person uses this tab, so it does not ignore their input.")
	}
	return pass()
}

func checkClose(b *Browser, _ *session, t *tab, _ command) verdict {
	if id := t.ID; !t.own {
		return verdict{then: func() { b.Share(id, false) }}
	}
	return pass()
}

// checkLifecycle refuses to freeze a tab: it would stay frozen after the client has gone.
func checkLifecycle(_ *Browser, _ *session, _ *tab, c command) verdict {
	if c.text("state") != "active" {
		return refuse("Tabs are not frozen in a browser that a person shares. Use the state active.")
	}
	return pass()
}

// checkScreenshot refuses a screenshot of the window, which may show more than the page.
func checkScreenshot(_ *Browser, _ *session, _ *tab, c command) verdict {
	if c.has("fromSurface") && !c.flag("fromSurface") {
		return refuse("A screenshot of the window is not available in a browser that a person shares. " +
			"Leave fromSurface out.")
	}
	return pass()
}

// checkIsolatedWorld takes the access to other origins from a new script world.
func checkIsolatedWorld(b *Browser, s *session, _ *tab, c command) verdict {
	params := map[string]json.RawMessage{}
	for name, value := range c.params {
		if !strings.HasPrefix(name, "grantUni") {
			params[name] = value
		}
	}
	made := func(result any) any {
		if r, ok := result.(object); ok {
			b.mu.Lock()
			defer b.mu.Unlock()
			s.learn(number(r["executionContextId"]))
		}
		return result
	}
	return b.inFrame(s, c, func() verdict { return verdict{pass: true, params: params, edit: made} })
}

func checkAutoAttach(_ *Browser, _ *session, _ *tab, c command) verdict {
	if c.flag("autoAttach") && !c.flag("flatten") {
		return refuse("Sessions inside sessions do not exist in a browser that a person shares. Set flatten to true.")
	}
	return pass()
}

// checkResumed records that a client is ready for a new tab.
func checkResumed(b *Browser, s *session, t *tab, _ command) verdict {
	s.waiting = false
	b.sessions.progressed(t)
	return pass()
}
