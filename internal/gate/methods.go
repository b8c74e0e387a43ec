package gate

import (
	"context"
	"strings"
	"sync"

	"cove/internal/policy"
)

// rule is what a method needs where the policy binds programs.
type rule struct {
	// needs are the rights that the method needs; none if it only reads.
	needs []policy.Class
	// anywhere allows the method on a page that is closed to agents: it tells nothing of the page, or leads away from
	// it.
	anywhere bool
	// check finds out what the parameters need besides.
	check func(*command, context.Context) error
	// redaction takes secrets out of the answer.
	redaction redaction
}

// changesNothing reports whether the method changes nothing.
func (r rule) changesNothing() bool {
	return len(r.needs) == 0 || (len(r.needs) == 1 && r.needs[0] == policy.Storage)
}

// The lists of methods: a domain begins a line, and its methods follow; a line that begins with a blank goes on with
// the domain before it. A method that is in no list is refused where the policy binds programs, and counts as acting
// everywhere.
const (
	// readingMethods change nothing that a page or a person could notice, or only how this client sees the page.
	readingMethods = `
Accessibility getPartialAXTree getFullAXTree getRootAXNode getAXNodeAndAncestors getChildAXNodes queryAXTree
Animation getCurrentTime getPlaybackRate
Audits enable
Browser getWindowBounds getWindowForTarget
CSS collectClassNames getBackgroundColors getComputedStyleForNode getInlineStylesForNode getLayersForNode
  getMatchedStylesForNode getMediaQueries getPlatformFontsForNode getStyleSheetText
DOM describeNode getAttributes getBoxModel getContentQuads getDocument getFrameOwner getNodeForLocation
  pushNodesByBackendIdsToFrontend querySelector querySelectorAll getTopLayerElements
DOMSnapshot captureSnapshot
IO close read
Log startViolationsReport stopViolationsReport
Memory getDOMCounters
Network getCertificate getCookies getAllCookies getResponseBody getSecurityIsolationStatus searchInResponseBody
  streamResourceContent
Page captureScreenshot getAppManifest getInstallabilityErrors getLayoutMetrics getNavigationHistory
  getPermissionsPolicyState getResourceContent getResourceTree screencastFrameAck searchInResource startScreencast
  stopScreencast
Performance getMetrics
Storage getCookies getUsageAndQuota`

	// setupMethods are what clients do with every page before anybody has asked for anything.
	setupMethods = `
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
Runtime enable disable discardConsoleEntries getHeapUsage getIsolateId releaseObject releaseObjectGroup
  runIfWaitingForDebugger setAsyncCallStackDepth
Schema getDomains
Security enable disable
ServiceWorker enable disable
Target attachToTarget detachFromTarget getBrowserContexts getTargetInfo getTargets setAutoAttach setDiscoverTargets`

	// emulationMethods are what clients do with every page too, and what the page notices: its size, its media, its
	// focus. Without the right to act they are answered without the browser, so that clients work and the page does not
	// change.
	emulationMethods = `
Emulation clearDeviceMetricsOverride setDeviceMetricsOverride setEmulatedMedia setFocusEmulationEnabled
  setScrollbarsHidden setTouchEmulationEnabled setVisibleSize`

	// navigatingMethods act and are allowed on a page that is closed to agents: they lead away from it.
	navigatingMethods = `
Browser close
Page bringToFront close navigate navigateToHistoryEntry stopLoading
Target activateTarget closeTarget createBrowserContext createTarget disposeBrowserContext`

	// actingMethods change the page or what a person sees.
	actingMethods = `
Animation releaseAnimations seekAnimations setPaused setPlaybackRate setTiming
Browser cancelDownload setContentsSize setWindowBounds
CSS forcePseudoState
DOM focus scrollIntoViewIfNeeded
DeviceOrientation clearDeviceOrientationOverride setDeviceOrientationOverride
Emulation clearGeolocationOverride clearIdleOverride resetPageScaleFactor setAutoDarkModeOverride
  setCPUThrottlingRate setEmitTouchEventsForMouse setEmulatedVisionDeficiency setGeolocationOverride
  setHardwareConcurrencyOverride setIdleOverride setLocaleOverride setPageScaleFactor setScriptExecutionDisabled
  setTimezoneOverride setUserAgentOverride
Fetch continueRequest failRequest
Input cancelDragging dispatchDragEvent dispatchKeyEvent dispatchMouseEvent dispatchTouchEvent
  emulateTouchFromMouseEvent imeSetComposition insertText setIgnoreInputEvents setInterceptDrags
  synthesizePinchGesture synthesizeScrollGesture synthesizeTapGesture
Network clearAcceptedEncodingsOverride clearBrowserCache emulateNetworkConditions replayXHR setAcceptedEncodings
  setBlockedURLs setBypassServiceWorker setExtraHTTPHeaders setUserAgentOverride
Page addScriptToEvaluateOnNewDocument handleJavaScriptDialog printToPDF reload removeScriptToEvaluateOnNewDocument
  setFontFamilies setFontSizes setInterceptFileChooserDialog setWebLifecycleState
ServiceWorker skipWaiting startWorker stopAllWorkers stopWorker unregister updateRegistration`

	// scriptMethods run scripts, change documents, or show what cannot be searched for secrets.
	scriptMethods = `
CSS addRule createStyleSheet setContainerQueryText setEffectivePropertyValueForNode setKeyframeKey setMediaText
  setRuleSelector setStyleSheetText setStyleTexts setSupportsText startRuleUsageTracking stopRuleUsageTracking
  takeCoverageDelta
Debugger continueToLocation enable evaluateOnCallFrame getPossibleBreakpoints getScriptSource getStackTrace pause
  removeBreakpoint restartFrame searchInContent setAsyncCallStackDepth setBlackboxPatterns setBlackboxedRanges
  setBreakpoint setBreakpointByUrl setBreakpointOnFunctionCall setBreakpointsActive setPauseOnExceptions
  setReturnValue setScriptSource setSkipAllPauses setVariableValue stepInto stepOut stepOver
DOM copyTo discardSearchResults getFlattenedDocument getNodeStackTraces getOuterHTML getSearchResults
  markUndoableState moveTo performSearch pushNodeByPathToFrontend redo removeAttribute removeNode requestChildNodes
  requestNode resolveNode setAttributeValue setAttributesAsText setNodeName setNodeStackTracesEnabled setNodeValue
  setOuterHTML undo
DOMDebugger getEventListeners removeDOMBreakpoint removeEventListenerBreakpoint removeXHRBreakpoint setDOMBreakpoint
  setEventListenerBreakpoint setXHRBreakpoint
Fetch continueResponse enable fulfillRequest getResponseBody takeResponseBodyAsStream
HeapProfiler collectGarbage enable getHeapObjectId getObjectByHeapObjectId getSamplingProfile startSampling
  startTrackingHeapObjects stopSampling stopTrackingHeapObjects takeHeapSnapshot
IO resolveBlob
Network getRequestPostData loadNetworkResource
Page captureSnapshot setBypassCSP setDocumentContent
Profiler enable getBestEffortCoverage setSamplingInterval start startPreciseCoverage stop stopPreciseCoverage
  takePreciseCoverage
Runtime addBinding awaitPromise callFunctionOn compileScript evaluate getExceptionDetails getProperties
  globalLexicalScopeNames queryObjects removeBinding runScript terminateExecution
Tracing end getCategories recordClockSyncMarker start`

	// storageReadMethods read what sites have stored.
	storageReadMethods = `
CacheStorage requestCacheNames requestCachedResponse requestEntries
DOMStorage enable getDOMStorageItems
IndexedDB enable getMetadata requestData requestDatabase requestDatabaseNames
Storage getSharedStorageEntries getSharedStorageMetadata getStorageKey getStorageKeyForFrame`

	// storageWriteMethods change what sites have stored.
	storageWriteMethods = `
CacheStorage deleteCache deleteEntry
DOMStorage clear removeDOMStorageItem setDOMStorageItem
IndexedDB clearObjectStore deleteDatabase deleteObjectStoreEntries
Network clearBrowserCookies deleteCookies setCookie setCookies
Storage clearCookies clearDataForOrigin clearDataForStorageKey setCookies`

	// uploadMethods give the page files of this computer.
	uploadMethods = `
DOM setFileInputFiles`

	// downloadMethods say what the browser does with downloads.
	downloadMethods = `
Browser setDownloadBehavior
Page setDownloadBehavior`
)

// methods returns the rule of each method that is in a list.
var methods = sync.OnceValue(func() map[string]rule {
	all := map[string]rule{}
	addMethods(all, readingMethods, rule{})
	addMethods(all, setupMethods, rule{anywhere: true})
	addMethods(all, emulationMethods, rule{anywhere: true, check: (*command).checkEmulation})
	addMethods(all, navigatingMethods, rule{anywhere: true, needs: []policy.Class{policy.Act}})
	addMethods(all, actingMethods, rule{needs: []policy.Class{policy.Act}})
	addMethods(all, scriptMethods, rule{needs: []policy.Class{policy.Act, policy.Script}})
	addMethods(all, storageReadMethods, rule{needs: []policy.Class{policy.Storage}})
	addMethods(all, storageWriteMethods, rule{needs: []policy.Class{policy.Act, policy.Storage}})
	addMethods(all, uploadMethods, rule{needs: []policy.Class{policy.Act, policy.Upload}})
	addMethods(all, downloadMethods, rule{anywhere: true, check: (*command).checkDownload})

	for name, check := range checks() {
		r := all[name]
		r.check = check
		all[name] = r
	}
	for name, redaction := range redactions() {
		r := all[name]
		r.redaction = redaction
		all[name] = r
	}

	return all
})

// addMethods adds every method of a list.
func addMethods(all map[string]rule, list string, r rule) {
	domain := ""
	for row := range strings.Lines(list) {
		words := strings.Fields(row)
		if len(words) > 0 && !strings.HasPrefix(row, " ") {
			domain, words = words[0], words[1:]
		}
		for _, name := range words {
			all[domain+"."+name] = r
		}
	}
}

// checks are the methods whose parameters matter.
func checks() map[string]func(*command, context.Context) error {
	return map[string]func(*command, context.Context) error{
		"Page.navigate":                         (*command).checkNavigate,
		"Target.createTarget":                   (*command).checkNavigate,
		"Page.navigateToHistoryEntry":           (*command).checkHistory,
		"Page.reload":                           (*command).checkReload,
		"Page.captureScreenshot":                (*command).checkScreenshot,
		"Page.addScriptToEvaluateOnNewDocument": (*command).checkNewDocumentScript,
		"Fetch.continueRequest":                 (*command).checkContinueRequest,
		"Target.setAutoAttach":                  (*command).checkAutoAttach,
		"Target.attachToTarget":                 (*command).checkAttach,
		"Target.createBrowserContext":           (*command).checkBrowserContext,
		"Input.dispatchDragEvent":               (*command).checkDrag,
		"DOM.setFileInputFiles":                 (*command).checkUpload,
		"Input.dispatchMouseEvent":              (*command).checkPress,
		"Input.dispatchTouchEvent":              (*command).checkPress,
		"Input.emulateTouchFromMouseEvent":      (*command).checkPress,
		"Input.synthesizeTapGesture":            (*command).checkPress,
		"Input.dispatchKeyEvent":                (*command).checkKey,
		"Input.insertText":                      (*command).checkText,
		"Input.imeSetComposition":               (*command).checkText,
		"Network.replayXHR":                     (*command).checkReplay,
		"Network.setCacheDisabled":              (*command).checkCache,
		"DOM.querySelector":                     (*command).checkSelector,
		"DOM.querySelectorAll":                  (*command).checkSelector,
		"Network.getCookies":                    (*command).checkCookies,
		"Network.getAllCookies":                 (*command).checkCookies,
		"Storage.getCookies":                    (*command).checkCookies,
	}
}

// redactions are the methods whose answers can tell secrets.
func redactions() map[string]redaction {
	return map[string]redaction{
		"Network.getCookies":          redactHeaders,
		"Network.getAllCookies":       redactHeaders,
		"Storage.getCookies":          redactHeaders,
		"DOM.getDocument":             redactTree,
		"DOM.describeNode":            redactNode,
		"DOM.getAttributes":           redactAttributes,
		"DOMSnapshot.captureSnapshot": redactSnapshot,
	}
}
