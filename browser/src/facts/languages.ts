// Which languages does the person prefer, best first?

export const languages = () => [...navigator.languages]
