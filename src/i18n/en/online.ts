/** What is said where the server is needed anyway: comes with that. */
export const enOnline = {
  leaving: {
    title: "Delete your account?",
    goes: "This will be deleted for good, for everyone:",
    profile: "your profile, your picture and your email address",
    media: "all photos and videos you've shared, with their comments and likes",
    words: "your likes and comments on other people's posts",
    people: "who you follow, who follows you and who you've blocked",
    device: "everything on this device, including anything not sent yet",
    stays: "This will stay:",
    chats: "messages you've sent, in other people's chats and without your name",
    reports: "reports that administrators are still working on",
  },
  keeping: {
    title: "Keep {{name}} offline",
    text: "The newest photos and videos stay on this device, as many as fit.",
    wifi: "It waits for Wi-Fi.",
    anyhow: "It starts right away, on mobile data too.",
    about: "About {{size}}",
    free: "There's room for {{size}}.",
    begun: "It's being loaded onto this device",
    nothing: "There's nothing to keep yet",
  },
  followed: {
    none: "Nothing from those you follow yet",
    text: "Follow people to see here what they post, with or without a network.",
    suggested: "You might like",
  },
};
