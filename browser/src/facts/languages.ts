// Which languages does the person read, best first?

export const languages = () => [...navigator.languages]
