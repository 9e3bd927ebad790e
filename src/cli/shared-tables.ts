/** Tables without rows of a platform, each with its treatment when a platform moves to another database. */
export const SHARED_TABLES: Readonly<Record<string, string>> = {
  installation: 'Each database has its environment and the check of its master key. An import compares both.',
  schema_migrations: 'Both databases have the same. An import compares them.',
  registry_companies:
    'Companies of registries belong to no platform. They are found by their keys, and added.',
  registry_followed: 'Each database follows the companies of its own buyers.',
  registry_imports: 'Each database imports its own files.',
  registry_words: 'They are the words of the companies that the database has.',
};
