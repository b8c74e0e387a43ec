package gate

import (
	"strings"
	"sync"

	"cove/internal/policy"
)

// rule is what a method asks of the policy, where the policy binds programs.
type rule struct {
	// needs are the rights that it takes; none for what only looks.
	needs []policy.Class
	// anywhere: also on a page that is closed to agents, because it tells nothing of it or leads away from it.
	anywhere bool
	// also finds out what the parameters ask for on top.
	also func(*question) error
	// hide takes secrets out of its answer.
	hide hiding
}

// reads reports whether the method changes nothing.
func (r rule) reads() bool {
	return len(r.needs) == 0 || (len(r.needs) == 1 && r.needs[0] == policy.Storage)
}

// The table: one line for each domain, its methods after it. A method that is in no list is refused where the policy binds programs,
// and counts as acting everywhere.
const (
	// looking changes nothing that a page or a person could notice, or only how this client sees the page.
	looking = `
Accessibility getPartialAXTree getFullAXTree getRootAXNode getAXNodeAndAncestors getChildAXNodes queryAXTree
Animation getCurrentTime getPlaybackRate
Audits enable
Browser getWindowBounds getWindowForTarget
CSS collectClassNames getBackgroundColors getComputedStyleForNode getInlineStylesForNode getLayersForNode getMatchedStylesForNode getMediaQueries getPlatformFontsForNode getStyleSheetText
DOM describeNode getAttributes getBoxModel getContentQuads getDocument getFrameOwner getNodeForLocation pushNodesByBackendIdsToFrontend querySelector querySelectorAll getTopLayerElements
DOMSnapshot captureSnapshot
IO close read
Log startViolationsReport stopViolationsReport
Memory getDOMCounters
Network getCertificate getCookies getAllCookies getResponseBody getSecurityIsolationStatus searchInResponseBody streamResourceContent
Page captureScreenshot getAppManifest getInstallabilityErrors getLayoutMetrics getNavigationHistory getPermissionsPolicyState getResourceContent getResourceTree screencastFrameAck searchInResource startScreencast stopScreencast
Performance getMetrics
Storage getCookies getUsageAndQuota`

	// housekeeping is what clients do with every page before anybody has asked for anything.
	housekeeping = `
Accessibility enable disable
Animation enable disable
Audits disable
Browser getVersion
Console enable disable clearMessages
CSS enable disable
Debugger disable resume
DOM enable disable
DOMSnapshot enable disable
DOMStorage disable
Emulation canEmulate setDefaultBackgroundColorOverride
Fetch disable
HeapProfiler disable
IndexedDB disable
Inspector enable disable
LayerTree disable
Log enable disable clear
Media disable
Network enable disable setCacheDisabled setAttachDebugStack
Overlay enable disable hideHighlight
Page enable disable createIsolatedWorld getFrameTree setLifecycleEventsEnabled
Performance enable disable setTimeDomain
PerformanceTimeline enable
Preload enable disable
Profiler disable
Runtime enable disable discardConsoleEntries getHeapUsage getIsolateId releaseObject releaseObjectGroup runIfWaitingForDebugger setAsyncCallStackDepth
Schema getDomains
Security enable disable
ServiceWorker enable disable
Target attachToTarget detachFromTarget getBrowserContexts getTargetInfo getTargets setAutoAttach setDiscoverTargets`

	// dressing is what clients do with every page, too, and what the page notices: its size, its media, its focus. Without the right to act
	// the browser is not told, so that clients work and the page is left alone.
	dressing = `
Emulation clearDeviceMetricsOverride setDeviceMetricsOverride setEmulatedMedia setFocusEmulationEnabled setScrollbarsHidden setTouchEmulationEnabled setVisibleSize`

	// leading away from a page that is closed to agents is acting, but allowed there.
	leadingAway = `
Browser close
Page bringToFront close navigate navigateToHistoryEntry stopLoading
Target activateTarget closeTarget createBrowserContext createTarget disposeBrowserContext`

	acting = `
Animation releaseAnimations seekAnimations setPaused setPlaybackRate setTiming
Browser cancelDownload setContentsSize setWindowBounds
CSS forcePseudoState
DOM focus scrollIntoViewIfNeeded
DeviceOrientation clearDeviceOrientationOverride setDeviceOrientationOverride
Emulation clearGeolocationOverride clearIdleOverride resetPageScaleFactor setAutoDarkModeOverride setCPUThrottlingRate setEmitTouchEventsForMouse setEmulatedVisionDeficiency setGeolocationOverride setHardwareConcurrencyOverride setIdleOverride setLocaleOverride setPageScaleFactor setScriptExecutionDisabled setTimezoneOverride setUserAgentOverride
Fetch continueRequest failRequest
Input cancelDragging dispatchDragEvent dispatchKeyEvent dispatchMouseEvent dispatchTouchEvent emulateTouchFromMouseEvent imeSetComposition insertText setIgnoreInputEvents setInterceptDrags synthesizePinchGesture synthesizeScrollGesture synthesizeTapGesture
Network clearAcceptedEncodingsOverride clearBrowserCache emulateNetworkConditions replayXHR setAcceptedEncodings setBlockedURLs setBypassServiceWorker setExtraHTTPHeaders setUserAgentOverride
Page addScriptToEvaluateOnNewDocument handleJavaScriptDialog printToPDF reload removeScriptToEvaluateOnNewDocument setFontFamilies setFontSizes setInterceptFileChooserDialog setWebLifecycleState
ServiceWorker skipWaiting startWorker stopAllWorkers stopWorker unregister updateRegistration`

	// scripting runs scripts, changes documents, or shows what cannot be looked through for secrets.
	scripting = `
CSS addRule createStyleSheet setContainerQueryText setEffectivePropertyValueForNode setKeyframeKey setMediaText setRuleSelector setStyleSheetText setStyleTexts setSupportsText startRuleUsageTracking stopRuleUsageTracking takeCoverageDelta
Debugger continueToLocation enable evaluateOnCallFrame getPossibleBreakpoints getScriptSource getStackTrace pause removeBreakpoint restartFrame searchInContent setAsyncCallStackDepth setBlackboxPatterns setBlackboxedRanges setBreakpoint setBreakpointByUrl setBreakpointOnFunctionCall setBreakpointsActive setPauseOnExceptions setReturnValue setScriptSource setSkipAllPauses setVariableValue stepInto stepOut stepOver
DOM copyTo discardSearchResults getFlattenedDocument getNodeStackTraces getOuterHTML getSearchResults markUndoableState moveTo performSearch pushNodeByPathToFrontend redo removeAttribute removeNode requestChildNodes requestNode resolveNode setAttributeValue setAttributesAsText setNodeName setNodeStackTracesEnabled setNodeValue setOuterHTML undo
DOMDebugger getEventListeners removeDOMBreakpoint removeEventListenerBreakpoint removeXHRBreakpoint setDOMBreakpoint setEventListenerBreakpoint setXHRBreakpoint
Fetch continueResponse enable fulfillRequest getResponseBody takeResponseBodyAsStream
HeapProfiler collectGarbage enable getHeapObjectId getObjectByHeapObjectId getSamplingProfile startSampling startTrackingHeapObjects stopSampling stopTrackingHeapObjects takeHeapSnapshot
IO resolveBlob
Network getRequestPostData loadNetworkResource
Page captureSnapshot setBypassCSP setDocumentContent
Profiler enable getBestEffortCoverage setSamplingInterval start startPreciseCoverage stop stopPreciseCoverage takePreciseCoverage
Runtime addBinding awaitPromise callFunctionOn compileScript evaluate getExceptionDetails getProperties globalLexicalScopeNames queryObjects removeBinding runScript terminateExecution
Tracing end getCategories recordClockSyncMarker start`

	reading = `
CacheStorage requestCacheNames requestCachedResponse requestEntries
DOMStorage enable getDOMStorageItems
IndexedDB enable getMetadata requestData requestDatabase requestDatabaseNames
Storage getSharedStorageEntries getSharedStorageMetadata getStorageKey getStorageKeyForFrame`

	storing = `
CacheStorage deleteCache deleteEntry
DOMStorage clear removeDOMStorageItem setDOMStorageItem
IndexedDB clearObjectStore deleteDatabase deleteObjectStoreEntries
Network clearBrowserCookies deleteCookies setCookie setCookies
Storage clearCookies clearDataForOrigin clearDataForStorageKey setCookies`

	uploading = `
DOM setFileInputFiles`

	downloading = `
Browser setDownloadBehavior
Page setDownloadBehavior`
)

var methods = sync.OnceValue(table)

func table() map[string]rule {
	all := map[string]rule{}
	for _, part := range []struct {
		text string
		rule rule
	}{
		{looking, rule{}},
		{housekeeping, rule{anywhere: true}},
		{dressing, rule{anywhere: true, also: (*question).dresses}},
		{leadingAway, rule{anywhere: true, needs: []policy.Class{policy.Act}}},
		{acting, rule{needs: []policy.Class{policy.Act}}},
		{scripting, rule{needs: []policy.Class{policy.Act, policy.Script}}},
		{reading, rule{needs: []policy.Class{policy.Storage}}},
		{storing, rule{needs: []policy.Class{policy.Act, policy.Storage}}},
		{uploading, rule{needs: []policy.Class{policy.Act, policy.Upload}}},
		{downloading, rule{anywhere: true, also: (*question).downloads}},
	} {
		for line := range strings.Lines(part.text) {
			words := strings.Fields(line)
			for _, name := range words[min(1, len(words)):] {
				all[words[0]+"."+name] = part.rule
			}
		}
	}
	for name, also := range map[string]func(*question) error{
		"Page.navigate":                         (*question).goes,
		"Target.createTarget":                   (*question).goes,
		"Page.navigateToHistoryEntry":           (*question).goesBack,
		"Page.reload":                           (*question).reloads,
		"Page.captureScreenshot":                (*question).shoots,
		"Page.addScriptToEvaluateOnNewDocument": (*question).scripts,
		"Fetch.continueRequest":                 (*question).continues,
		"Target.setAutoAttach":                  (*question).attaches,
		"Target.attachToTarget":                 (*question).attachesTo,
		"Target.createBrowserContext":           (*question).makesContext,
		"Input.dispatchDragEvent":               (*question).drags,
		"DOM.setFileInputFiles":                 (*question).gives,
		"Input.dispatchMouseEvent":              (*question).presses,
		"Input.dispatchTouchEvent":              (*question).presses,
		"Input.emulateTouchFromMouseEvent":      (*question).presses,
		"Input.synthesizeTapGesture":            (*question).presses,
		"Input.dispatchKeyEvent":                (*question).types,
		"Input.insertText":                      (*question).inserts,
		"Input.imeSetComposition":               (*question).inserts,
		"Network.replayXHR":                     (*question).again,
		"Network.setCacheDisabled":              (*question).caches,
		"DOM.querySelector":                     (*question).selects,
		"DOM.querySelectorAll":                  (*question).selects,
		"Network.getCookies":                    (*question).cookies,
		"Network.getAllCookies":                 (*question).cookies,
		"Storage.getCookies":                    (*question).cookies,
	} {
		r := all[name]
		r.also = also
		all[name] = r
	}
	for name, hide := range map[string]hiding{
		"Network.getCookies":          hideHeaders,
		"Network.getAllCookies":       hideHeaders,
		"Storage.getCookies":          hideHeaders,
		"DOM.getDocument":             hideTree,
		"DOM.describeNode":            hideNode,
		"DOM.getAttributes":           hideAttributes,
		"DOMSnapshot.captureSnapshot": hideSnapshot,
	} {
		r := all[name]
		r.hide = hide
		all[name] = r
	}
	return all
}
